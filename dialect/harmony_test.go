package dialect

import (
	"strings"
	"testing"
)

func TestHarmony(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxFrameHeader)
	cases := transcripts{
		{"a whole stream", "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary<|message|>I look.<|end|>" +
			"<|start|>assistant to=functions.now<|channel|>commentary <|constrain|>json<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>Done.<|return|>",
			`think "Hm." "I look." now{} "Done."`},
		{"the recipient comes second", "<|channel|>commentary to=functions.now<|message|>{}<|call|>", `now{}`},
		{"the recipient comes first", " to=functions.now<|channel|>commentary<|message|>{}", `" " now{}`},
		{"a call on the analysis channel", "<|channel|>analysis to=functions.now<|message|>{}<|call|>", `now{}`},
		{"a doubled to", "<|channel|>commentary to=to=functions.now<|message|>{}<|call|>", `now{}`},
		{"two recipients", "<|start|>assistant to=functions.x<|channel|>commentary to=functions.now<|message|>{}<|call|>", `now{}`},
		{"no message", "<|channel|>commentary to=functions.now <|constrain|>json{}<|call|>", `now{}`},
		{"noise", "<|channel|>commentary <|weird|> to=functions.now code<|constrain|>json<|message|> {} <|call|>", `now{}`},
		{"two channels", "<|channel|>commentary to=assistant<|channel|>final<|message|>Hi", `"Hi"`},
		{"filler", "<|channel|>commentary to=functions.now<|message|>{}<|call|>commentary<|channel|>commentary to=functions.now<|message|>{}<|end|>", `now{} now{}`},
		{"no end", "<|channel|>commentary to=functions.now<|message|>{}<|channel|>final<|message|>Hi", `now{} "Hi"`},
		{"thoughts without an end", "<|channel|>analysis<|message|>a < b <|x|> <|channel|>final<|message|>Hi", `think "a < b <|x|> " "Hi"`},
		{"no channel", "<|message|>Hi<|end|>", `"Hi"`},
		{"unknown tokens", "a <|weird|> b", `"a <|weird|> b"`},
		{"prose about the channel", "The <|channel|> token names it, <|start|> begins it.", `"The <|channel|> token names it, <|start|> begins it."`},
		{"prose about a header", "A <|channel|>analysis\nheader", `"A <|channel|>analysis\nheader"`},
		{"a header without an end", "<|channel|>final " + long + " y", `"<|channel|>final ` + long + ` y"`},
		{"an invented result", "<|start|>functions.now to=assistant<|channel|>commentary<|message|>12:00<|end|>", `"<|start|>functions.now to=assistant" "12:00"`},
		{"code to run", "<|channel|>commentary to=python<|message|>print(1)<|call|>", `"<|channel|>commentary to=python<|message|>" !python "print(1)"`},
		{"an undeclared tool", "<|channel|>commentary to=functions.other<|message|>{}<|call|>.", `"<|channel|>commentary to=functions.other<|message|>{}" !functions.other "."`},
		{"half a call", "<|channel|>commentary to=functions.now<|message|>{", `"<|channel|>commentary to=functions.now<|message|>{" !`},
		{"half a header", "<|channel|>commentary to=functions.now <|cons", `"<|channel|>commentary to=functions.now <|cons" !functions.now`},
		{"no arguments", "<|channel|>commentary to=functions.now<|message|><|call|>", `"<|channel|>commentary to=functions.now<|message|>" !functions.now`},
		{"an example in code", "<|channel|>final<|message|>`<|channel|>commentary to=functions.now<|message|>{}<|call|>`<|return|>",
			`"` + "`<|channel|>commentary to=functions.now<|message|>{}<|call|>`" + `"`},
	}
	cases.run(t, &harmony, Options{Tools: transcriptTools})
	cases.run(t, &harmonyTextFallback, Options{Tools: transcriptTools})

	transcripts{
		{"dotted names are names", "<|channel|>commentary to=browser.search<|message|>{}", `browser.search{}`},
		{"a prefix is none", "<|channel|>commentary to=functions.f<|message|>{}", `f{}`},
	}.run(t, &harmony, Options{})
	transcripts{{"begun by the prompt", "Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi", `think "Hm." "Hi"`}}.
		run(t, &harmony, Options{Reasoning: ReasoningOpen})
	transcripts{{"not told apart", "<|channel|>analysis<|message|>Hm.<|end|>", `"<|channel|>analysis<|message|>Hm."`}}.
		run(t, &harmony, Options{Reasoning: ReasoningNone})
}

func TestHarmonyStripped(t *testing.T) {
	t.Parallel()
	transcripts{
		{"both", "analysisThink hard.assistantfinalThe answer.", `think "Think hard." "The answer."`},
		{"with blanks", "analysis think assistantfinal answer", `think " think " " answer"`},
		{"a note", "analysisHm.assistantcommentaryI look.", `think "Hm." "I look."`},
		{"nothing else", "analysis", ""},
		{"only at the start", "An analysis assistantfinal x", `"An analysis assistantfinal x"`},
		{"another word", "analysisx y", `"analysisx y"`},
		{"half the word", "analys", `"analys"`},
	}.run(t, &harmonyTextFallback, Options{})
}

// TestHarmonyTextIsNotHeld feeds a final message word by word.
func TestHarmonyTextIsNotHeld(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"<|channel|>final<|message|>", "<|channel|>analysis<|message|>"} {
		d := harmony.NewDecoder(Options{})
		d.Feed(header)
		for _, word := range []string{"One ", "two", " < ", "three\n"} {
			var got string
			for _, e := range d.Feed(word) {
				got += e.Text
			}
			if got != word {
				t.Errorf("%s: %q came out as %q", header, word, got)
			}
		}
	}
}

var framePieces = []string{
	"<|start|>", "<|channel|>", "<|constrain|>", "<|message|>", "<|end|>", "<|call|>", "<|return|>", "assistant", "analysis", "commentary", "final",
	"to=", "functions.", "now", " ", "\n", "json", "{}", `{"a":`, "<|", "weird|>", "Hi", "assistantfinal", "<", "`", "to=functions.now",
	"<|open|>", "<|close|>", "<|sep|>", "tools", `call tool="now"`, `call tool="write" index="1"`, `argument key="text" type="string"`, `argument key="x" type="`, "response", "think", "argument", "call", "message", "1", `"`,
}

func FuzzFrames(f *testing.F) {
	f.Add(uint8(0), []byte{1, 8, 3, 21, 4, 0, 7, 14, 25, 1, 9, 14, 2, 16, 3, 17, 5, 9, 1, 10, 3, 21, 6})
	f.Add(uint8(1), []byte{8, 14, 21, 22, 21})
	f.Add(uint8(2), []byte{26, 29, 28, 26, 31, 28, 26, 32, 28, 21, 27, 36, 28, 27, 37, 28, 27, 29, 28})
	f.Fuzz(func(t *testing.T, which uint8, program []byte) {
		d := []*Dialect{&harmony, &harmonyTextFallback, &kimiK3}[which%3]
		keepsPromises(t, d, Options{Tools: transcriptTools}, spell(framePieces, program), uint64(len(program)))
	})
}
