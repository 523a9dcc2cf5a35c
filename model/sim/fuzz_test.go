package sim

import (
	"fmt"
	"testing"
	"unicode/utf8"
)

// FuzzRespond: whatever the prompt, the model does not panic, every call it makes
// is one that the tool's schema allows, and the same prompt gets the same calls.
func FuzzRespond(f *testing.F) {
	for _, prompt := range []string{
		"What is 17 * 23, and what time is it in Asia/Shanghai?",
		"今天北京的天气怎么样？用华氏度", "2的10次方", "search for cats, limit 5", "((((1+2", "sqrt 16 + -3%", "{\"a\": {\"b\": [", "`select` ``` '",
		"Book a flight from Paris to Tokyo in business", "values: 1, 2, three", "age=5 name: Ann", "limit 00012 query=''", "\xff\xfe 1+\x80",
		"Convert 1,000 USD to EUR", "2026-13-45 create event 'x'", "user={\"name\":1}", "一二三四五六七八九十百千万加一",
	} {
		f.Add(prompt, "")
		f.Add(prompt, "required")
	}
	everything := offered(everyone)
	f.Fuzz(func(t *testing.T, prompt, mode string) {
		req := *everything
		req.choice.required = mode == "required"
		req.messages = []turnMessage{{role: "user", text: prompt}}
		r := respond(&req)
		if r.text == "" && len(r.calls) == 0 {
			t.Error("neither text nor calls")
		}
		for _, c := range r.calls {
			d, ok := req.tool(c.name)
			if !ok {
				t.Fatalf("called %q, which was not offered", c.name)
			}
			if err := d.schema.Validate([]byte(c.arguments)); err != nil {
				t.Errorf("%s%s: %v", c.name, c.arguments, err)
			}
		}
		again := respond(&req)
		if again.text != r.text || len(again.calls) != len(r.calls) {
			t.Fatalf("the same prompt got %+v and %+v", r, again)
		}
		for i := range r.calls {
			if again.calls[i] != r.calls[i] {
				t.Errorf("call %d is %+v and then %+v", i, r.calls[i], again.calls[i])
			}
		}
	})
}

// FuzzScan: values do not overlap, stand where they say, and are not empty.
func FuzzScan(f *testing.F) {
	f.Add("What is 17 * 23 in Asia/Shanghai on 2026-11-20? 'It''s' `a/b.txt` https://x.y/z. bob@x.yz {\"a\":1} SELECT 'a' FROM b")
	f.Add("（１＋２）×三的平方 「你好」")
	f.Fuzz(func(t *testing.T, prompt string) {
		end := 0
		for _, v := range scan(prompt) {
			if v.start < end || v.end <= v.start || v.end > len(prompt) || v.value == "" && !v.quoted {
				t.Fatalf("%+v after %d in %q", v, end, prompt)
			}
			if utf8.ValidString(prompt) && !utf8.ValidString(v.value) {
				t.Errorf("%+v cuts a character in %q", v, prompt)
			}
			end = v.end
		}
	})
}

// FuzzSkill: whatever the prompt and the skill say, each call is one that its tool's schema
// allows, and after a script there is an answer.
func FuzzSkill(f *testing.F) {
	f.Add("run the word count skill on this text: a b", "Run `a.py <text>`.\nrun scripts with skill_run\n- a.py (1 bytes)")
	f.Add("the tea maker skill: '", "run scripts with script\n```\n./a b\n```\n- a (1 bytes)\n- \xff (2 bytes)")
	f.Add("skill \"pdf\" ：\x00", "run scripts with skill\n    a.py \"{x}\" | b\n- a.py (0 bytes)")
	f.Fuzz(func(t *testing.T, prompt, opened string) {
		req := &request{parallel: true, tools: append(skillTools[:len(skillTools):len(skillTools)], ownTool),
			messages: []turnMessage{{role: "system", text: skillCatalogue}, {role: "user", text: prompt}}}
		for turn := range 3 {
			r := respond(req)
			if len(r.calls) == 0 {
				if r.text == "" {
					t.Error("neither text nor calls")
				}
				return
			}
			if turn == 2 {
				t.Fatalf("it goes on and on: %+v", r.calls)
			}
			for _, c := range r.calls {
				d, ok := req.tool(c.name)
				if !ok {
					t.Fatalf("called %q, which was not offered", c.name)
				}
				if err := d.schema.Validate([]byte(c.arguments)); err != nil {
					t.Errorf("%s%s: %v", c.name, c.arguments, err)
				}
			}
			r.calls = r.calls[:1]
			r.calls[0].id = fmt.Sprint(turn)
			req.messages = append(req.messages, turnMessage{role: "assistant", calls: r.calls}, turnMessage{role: "tool", callID: fmt.Sprint(turn), text: opened})
		}
	})
}
