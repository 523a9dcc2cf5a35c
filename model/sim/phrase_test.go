package sim

import (
	"strings"
	"testing"
)

// answered is a request in which the prompt's calls have these results.
func answered(prompt, names string, results ...string) *request {
	req := offered(names)
	req.messages = []turnMessage{{role: "user", text: prompt}}
	first := respond(req)
	name(first.calls, &request{id: "0123456789abcdef"})
	req.messages = append(req.messages, turnMessage{role: "assistant", calls: first.calls})
	for i, result := range results {
		req.messages = append(req.messages, turnMessage{role: "tool", text: result, callID: first.calls[i].id})
	}
	return req
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxResult+1)
	for _, test := range []struct {
		name, tools, prompt string
		results             []string
		want                string
	}{
		{"arithmetic and time", builtin, "What is 17 * 23, and what time is it in Asia/Shanghai?", []string{"391", "15:04:05 on Friday, 20 November 2026"},
			"17 * 23 = 391. It is 15:04:05 on Friday, 20 November 2026 in Asia/Shanghai."},
		{"result that repeats the question", builtin, "What is 17 * 23, and what time is it in Asia/Shanghai?", []string{"17 * 23 = 391", "2026-11-20 15:04:05 (Asia/Shanghai)"},
			"17 * 23 = 391. It is 2026-11-20 15:04:05 (Asia/Shanghai)."},
		{"clock", builtin, "What time is it?", []string{`{"time":"2026-11-20T23:25:18+08:00","timezone":"Asia/Shanghai","weekday":"Friday"}`},
			"It is 23:25:18 on Friday, 20 November 2026 in Asia/Shanghai (2026-11-20T23:25:18+08:00)."},
		{"clock, in Chinese", builtin, "上海现在几点？", []string{`{"time":"2026-11-20T23:25:18+08:00","timezone":"Asia/Shanghai","weekday":"Friday"}`},
			"Asia/Shanghai 现在是 2026年11月20日星期五 23:25:18 (2026-11-20T23:25:18+08:00)。"},
		{"result that is JSON text", builtin, "What is 2+2?", []string{`"4"`}, "2+2 = 4."},
		{"result that is a sentence", strange, "Weather in Paris", []string{"It is sunny in Paris, 21 °C."}, "It is sunny in Paris, 21 °C."},
		{"result that is a phrase", strange, "Weather in Paris", []string{"sunny"}, "get_weather(Paris): sunny."},
		{"result that is an object", strange, "Weather in Paris in celsius", []string{`{"sky":"clear"}`}, `get_weather("city":"Paris","unit":"celsius"): {"sky":"clear"}.`},
		{"several lines", builtin, "Read notes.txt", []string{"one\ntwo\n"}, "read_file(notes.txt) returned:\n\none\ntwo"},
		{"nothing", builtin, "Read notes.txt", []string{""}, "read_file(notes.txt) returned nothing."},
		{"too long", builtin, "Read notes.txt", []string{long}, "read_file(notes.txt): " + long[:maxResult] + "… (cut here; 4001 characters in all)."},
		{"failure", builtin, "Read notes.txt", []string{`{"success":false,"error":"No such file: notes.txt","code":"execution"}`}, "I could not use read_file: No such file: notes.txt."},
		{"failure of a strange form", builtin, "Read notes.txt", []string{`{"error":"gone"}`}, "I could not use read_file: gone."},
		{"unknown tool", builtin, "Read notes.txt", []string{`{"success":false,"error":"Tool not found: read_file","code":"not_found","available":["read"]}`}, "I could not use read_file: Tool not found: read_file."},
		{"one of two fails", builtin, "What is 1/0, and what is 2+2?", []string{`{"success":false,"error":"division by zero"}`, "4"}, "I could not use calculate: division by zero. 2+2 = 4."},
		{"what could not be asked", strange, "Look up \"cats\" and send an email to bob@example.com", []string{"many"},
			"search(cats): many. I would call send_email for that, but I could not find out its subject, body. Try to write it as NAME=VALUE."},
		{"Chinese", builtin, "2的10次方是多少？现在东京几点？", []string{"1024", "15:04"}, "2 ^ 10 = 1024。Asia/Tokyo 现在是 15:04。"},
		{"Chinese failure", builtin, "读取文件 README.md", []string{`{"success":false,"error":"没有这个文件"}`}, "无法使用 read_file：没有这个文件。"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := respond(answered(test.prompt, test.tools, test.results...))
			if r.text != test.want || len(r.calls) > 0 {
				t.Errorf("\n got %q, %d calls\nwant %q, none", r.text, len(r.calls), test.want)
			}
		})
	}
}

func TestHonesty(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, tools, prompt string
		want                []string
	}{
		{"no tools", "", "What is 2 + 2?", []string{"offline demonstration model", "not a language model", "I was given none", "--model openai/", "OPENAI_API_KEY"}},
		{"no tool fits", builtin, "Tell me a joke", []string{"offline demonstration model", "calculate, current_time, http_get, list_files, read_file", "OPENAI_API_KEY"}},
		{"who", builtin, "Who are you?", []string{"offline demonstration model", "not a language model"}},
		{"who, in Chinese", builtin, "你是谁？", []string{"离线演示模型", "不是语言模型"}},
		{"no tool fits, in Chinese", builtin, "讲个笑话", []string{"离线演示模型", "calculate、current_time"}},
		{"value missing", strange, "What's the weather?", []string{"get_weather", "city", "NAME=VALUE"}},
		{"value missing, in Chinese", strange, "天气怎么样？", []string{"get_weather", "city", "名称=值"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			req := offered(test.tools)
			req.messages = []turnMessage{{role: "user", text: test.prompt}}
			r := respond(req)
			for _, part := range test.want {
				if !strings.Contains(r.text, part) {
					t.Errorf("%q does not hold %q", r.text, part)
				}
			}
			if len(r.calls) > 0 {
				t.Errorf("calls %+v: want none", r.calls)
			}
		})
	}
}
