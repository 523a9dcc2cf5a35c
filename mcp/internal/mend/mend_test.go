package mend

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func answer(result string) string { return `{"jsonrpc":"2.0","id":1,"result":` + result + `}` }

func TestMessage_WhatIsGoodStaysAsItIs(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		``, ` `, `null`, `7`, `"x"`, `{`, `[`, `{"id":"1"`, `{"jsonrpc":"2.0","id":"12","result":{}`, "banner {",
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
		`{"jsonrpc":"2.0","id":"12","method":"elicitation/create","params":{"content":null}}`,
		" " + answer(`{"content":[{"type" : "text"} , {"type":"text"}] }`) + "\n",
		answer(`{}`), answer(`null`), answer(`[]`), answer(`"x"`),
		answer(`{"content":[]}`),
		answer(`{"content":[{"type":"text","text":"a"},{"type":"image","data":"aGk=","mimeType":"image/png"}],"isError":false}`),
		answer(`{"content":[{"type":"audio","data":"","mimeType":"audio/wav","_meta":{"a":1}}]}`),
		answer(`{"content":[{"type":"resource","resource":{"uri":"a:b","blob":"aGk="}}]}`),
		answer(`{"content":[{"type":"resource_link","uri":"a:b","name":"n","size":5,"icons":[{"src":"x","sizes":["any"]}],"annotations":{"audience":["user"],"priority":0.5}}]}`),
		answer(`{"content":[{"type":"text"}],"unknown":{"content":5}}`),
		answer(`{"tools":null}`), answer(`{"tools":{}}`), answer(`{"tools":[],"nextCursor":"a","ttlMs":5}`),
		answer(`{"capabilities":{"tools":{}},"_meta":null}`),
		`[` + answer(`{"content":[]}`) + `]`,
		`{"jsonrpc":"2.0","id":"abc","result":{}}`, `{"jsonrpc":"2.0","id":"","result":{}}`,
		`{"jsonrpc":"2.0","id":"01","result":{}}`, `{"jsonrpc":"2.0","id":"-1","result":{}}`, `{"jsonrpc":"2.0","id":"1234567890123456789","result":{}}`,
	} {
		got := Message([]byte(data))
		if string(got) != data {
			t.Errorf("%s\nbecame\n%s", data, got)
		}
	}
}

func TestMessage(t *testing.T) {
	t.Parallel()
	deepForm := strings.Repeat(`{"not":`, 15) + `{}` + strings.Repeat(`}`, 15)
	tests := []struct{ name, data, want string }{
		{"id as text", `{"jsonrpc":"2.0","id":"12","result":{}}`, `{"jsonrpc":"2.0","id":12,"result":{}}`},
		{"id as text of an error", ` {"id": "0" ,"error":{"code":1}}` + "\n", `{"id":0,"error":{"code":1}}`},
		{"batch", `[{"id":"1","result":{}}, 5,{"id":2,"result":{"content":null}}]`, `[{"id":1,"result":{}},5,{"id":2,"result":{"content":[]}}]`},
		{"escaped keys", answer(`{"cont\u0065nt":null}`), answer(`{"content":[]}`)},
		{"not UTF-8", answer("{\"content\":[{\"type\":\"text\",\"text\":\"a\xff\"}]}"), answer(`{"content":[{"type":"text","text":"a` + "\uFFFD" + `"}]}`)},
		{"no parameters", `{"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`, `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}`},
		{"null parameters", `{"params":null,"method":"notifications/progress"}`, `{"method":"notifications/progress","params":{}}`},
		{"null message", `{"id":"1","method":"sampling/createMessage","params":{"messages":[null,{"role":"user"}],"tools":[null]}}`, `{"id":"1","method":"sampling/createMessage","params":{"messages":[{"role":"user"}],"tools":[]}}`},
		{"circular form", `{"params":{"requestedSchema":{"$ref":"#","properties":{"a":{"anyOf":[{"$ref":"#"},5]}}}},"method":"elicitation/create"}`, `{"params":{"requestedSchema":{"properties":{"a":{"anyOf":[{},5]}}},"_meta":{"helve/form":"{\"properties\":{\"a\":{\"anyOf\":[{},5]}}}"}},"method":"elicitation/create"}`},
		{"nulls in a form", `{"method":"elicitation/create","params":{"requestedSchema":{"properties":{"a":null,"b":{"oneOf":[null,{}]}}}}}`, `{"method":"elicitation/create","params":{"requestedSchema":{"properties":{"b":{"oneOf":[{}]}}},"_meta":{"helve/form":"{\"properties\":{\"b\":{\"oneOf\":[{}]}}}"}}}`},
		{"order of a form", `{"method":"elicitation/create","params":{"_meta":{"a":1},"requestedSchema":{"z":1, "a":2.50},"message":"m"}}`, `{"method":"elicitation/create","params":{"requestedSchema":{"z":1, "a":2.50},"message":"m","_meta":{"a":1,"helve/form":"{\"z\":1, \"a\":2.50}"}}}`},
		{"no form", `{"method":"elicitation/create","params":{"message":"m","requestedSchema":5}}`, `{"method":"elicitation/create","params":{"message":"m"}}`},
		{"circular form as a result", answer(`{"inputRequests":{"a":{"method":"elicitation/create","params":{"requestedSchema":{"$dynamicRef":"#"}}}}}`), answer(`{"inputRequests":{"a":{"method":"elicitation/create","params":{"requestedSchema":{},"_meta":{"helve/form":"{}"}}}}}`)},
		{"deep form", `{"method":"m","params":{"requestedSchema":` + strings.Repeat(`{"not":`, 20) + `5` + strings.Repeat(`}`, 20) + `}}`, `{"method":"m","params":{"requestedSchema":` + deepForm + `,"_meta":{"helve/form":` + strconv.Quote(deepForm) + `}}}`},
		{"null question", answer(`{"resultType":"input_required","inputRequests":{"a":null,"b":{"method":"roots/list"},"c":5}}`), answer(`{"resultType":"input_required","inputRequests":{"b":{"method":"roots/list"}}}`)},
		{"questions that are none", answer(`{"inputRequests":[null]}`), answer(`{}`)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := string(Message([]byte(tt.data))); got != tt.want {
				t.Errorf("got\n%s, want\n%s", got, tt.want)
			}
		})
	}
}

func TestMessage_Result(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, result, want string }{
		{"content null", `{"content":null}`, `{"content":[]}`},
		{"content a block", `{"content":{"type":"text","text":"a"}}`, `{"content":[{"type":"text","text":"a"}]}`},
		{"content text", `{"content":"a\nb"}`, `{"content":[{"type":"text","text":"a\nb"}]}`},
		{"content a number", `{"content":5}`, `{"content":[{"type":"text","text":"5"}]}`},
		{"blocks that are none", `{"content":[null,"a",5,[1]]}`, `{"content":[{"type":"text","text":"a"},{"type":"text","text":"5"},{"type":"text","text":"[1]"}]}`},
		{"unknown kind", `{"content":[{"type":"video","data":"a\"b"}]}`, `{"content":[{"type":"text","text":"{\"type\":\"video\",\"data\":\"a\\\"b\"}"}]}`},
		{"no kind", `{"content":[{"text":"a"}]}`, `{"content":[{"type":"text","text":"{\"text\":\"a\"}"}]}`},
		{"escaped kind", `{"content":[{"type":"\u0074ext","text":"a"}]}`, `{"content":[{"type":"\u0074ext","text":"a"}]}`},
		{"sampling's kind", `{"content":[{"type":"tool_use"}]}`, `{"content":[{"type":"text","text":"{\"type\":\"tool_use\"}"}]}`},
		{"text a number", `{"content":[{"type":"text","text":5}]}`, `{"content":[{"type":"text","text":"{\"type\":\"text\",\"text\":5}"}]}`},
		{"bad base64", `{"content":[{"type":"image","data":"a!b"}]}`, `{"content":[{"type":"text","text":"{\"type\":\"image\",\"data\":\"a!b\"}"}]}`},
		{"data a list of bytes", `{"content":[{"type":"image","data":[104,105]}]}`, `{"content":[{"type":"image","data":"aGk="}]}`},
		{"data a list", `{"content":[{"type":"image","data":[256]}]}`, `{"content":[{"type":"text","text":"{\"type\":\"image\",\"data\":[256]}"}]}`},
		{"bad blob", `{"content":[{"type":"resource","resource":{"uri":"a:b","blob":"*"}}]}`, `{"content":[{"type":"text","text":"{\"type\":\"resource\",\"resource\":{\"uri\":\"a:b\",\"blob\":\"*\"}}"}]}`},
		{"resource a text", `{"content":[{"type":"resource","resource":"x"}]}`, `{"content":[{"type":"text","text":"{\"type\":\"resource\",\"resource\":\"x\"}"}]}`},
		{"unpadded", `{"content":[{"type":"image","data":"aGk"}]}`, `{"content":[{"type":"image","data":"aGk="}]}`},
		{"base64url", `{"content":[{"type":"image","data":"-_8"}]}`, `{"content":[{"type":"image","data":"+/8="}]}`},
		{"lines", `{"content":[{"type":"image","data":"aG\r\nk="}]}`, `{"content":[{"type":"image","data":"aGk="}]}`},
		{"data URL", `{"content":[{"type":"image","data":"data:image/png;base64,aGk"}]}`, `{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]}`},
		{"data URL, own type", `{"content":[{"type":"image","mimeType":"image/gif","data":"DATA:image/png;BASE64,aGk="}]}`, `{"content":[{"type":"image","mimeType":"image/gif","data":"aGk="}]}`},
		{"data URL, empty type", `{"content":[{"type":"image","mimeType":"","data":"data:image/svg+xml,%3Csvg/%3E"}]}`, `{"content":[{"type":"image","data":"PHN2Zy8+","mimeType":"image/svg+xml"}]}`},
		{"data URL as blob", `{"content":[{"type":"resource","resource":{"blob":"data:;base64,aGk="}}]}`, `{"content":[{"type":"resource","resource":{"blob":"aGk="}}]}`},
		{"data URL without data", `{"content":[{"type":"image","data":"data:image/png"}]}`, `{"content":[{"type":"text","text":"{\"type\":\"image\",\"data\":\"data:image/png\"}"}]}`},
		{"bad extras", `{"content":[{"type":"text","text":"a","annotations":{"priority":"high"},"_meta":[],"size":"5","name":1,"resource":{},"data":"a"}]}`, `{"content":[{"type":"text","text":"a"}]}`},
		{"bad icons", `{"content":[{"type":"resource_link","uri":"a:b","size":1.0,"icons":[{"src":5}]}]}`, `{"content":[{"type":"resource_link","uri":"a:b"}]}`},
		{"huge number", `{"content":[],"_meta":{"a":[1e999]}}`, `{"content":[]}`},
		{"isError as text", `{"content":[],"isError":"true"}`, `{"content":[],"isError":true}`},
		{"isError false as text", `{"content":[],"isError":"false"}`, `{"content":[],"isError":false}`},
		{"structured", `{"structuredContent":{"b":12345678901234567890, "a":1e999}}`, `{"content":[],"_meta":{"helve/structured":"{\"b\":12345678901234567890, \"a\":1e999}"}}`},
		{"structured null", `{"content":[],"structuredContent":null}`, `{"content":[]}`},
		{"structured beside _meta", `{"_meta":{"x":1,"helve/structured":"forged"},"structuredContent":[1],"content":[]}`, `{"content":[],"_meta":{"x":1,"helve/structured":"[1]"}}`},
		{"bad cursor", `{"tools":[],"nextCursor":5,"ttlMs":"1","cacheScope":[]}`, `{"tools":[]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := string(Message([]byte(answer(tt.result))))
			if diff := cmp.Diff(answer(tt.want), got); diff != "" {
				t.Error(diff)
			}
			var r sdk.CallToolResult
			if err := json.Unmarshal([]byte(tt.want), &r); err != nil {
				t.Errorf("the SDK does not read it: %v", err)
			}
		})
	}
}

func TestMessage_Tools(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, tool, wantName, wantSchema string }{
		{"plain", `{"name":"a","inputSchema":{"type":"object","properties":{"z":{},"a":{"maximum":12345678901234567890}}}}`, `""`, `{"type":"object"}`},
		{"schema null", `{"name":"a","inputSchema":null,"outputSchema":5,"annotations":"x","icons":7}`, `""`, `{"type":"object"}`},
		{"name a number", `{"name":5}`, `""`, `{"type":"object"}`},
		{"no object", `["a"]`, `""`, `{"type":"object"}`},
		{"null", `null`, `""`, `{"type":"object"}`},
		{"forged", `{"name":"a","_meta":{"helve/tool":"{\"name\":\"b\"}"}}`, `""`, `{"type":"object"}`},
		{
			"headers", `{"name":"a","inputSchema":{"type":"object","properties":{"r":{"type":"string","x-mcp-header":"Region","maxLength":5},"n":{"type":["string","null"]},"o":{"type":"object","properties":{"i":{"type":"integer","x-mcp-header":5}}}}}}`,
			`"a"`, `{"type":"object","properties":{"r":{"type":"string","x-mcp-header":"Region"},"o":{"type":"object","properties":{"i":{"type":"integer","x-mcp-header":5}}}}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := Message([]byte(answer(`{"tools":[` + tt.tool + `]}`)))
			want := answer(`{"tools":[{"name":` + tt.wantName + `,"inputSchema":` + tt.wantSchema + `,"_meta":{"helve/tool":` + string(quote([]byte(tt.tool))) + `}}]}`)
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Error(diff)
			}
			var list struct{ Result sdk.ListToolsResult }
			if err := json.Unmarshal(got, &list); err != nil {
				t.Fatalf("the SDK does not read it: %v", err)
			}
			if got := list.Result.Tools[0].Meta[RawTool]; got != tt.tool {
				t.Errorf("the tool's own bytes are %v", got)
			}
		})
	}
}

func TestMessage_TooDeepIsLeftToTheSDK(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{
		strings.Repeat(`[`, 2000) + strings.Repeat(`]`, 2000),
		`{"inputSchema":` + strings.Repeat(`{"x-mcp-header":"A","properties":{"a":`, 2000) + `1` + strings.Repeat(`}}`, 2000) + `}`,
	} {
		data := answer(`{"tools":[` + tool + `]}`)
		if got := string(Message([]byte(data))); got != data {
			t.Errorf("changed: %.200s", got)
		}
	}
}

// A null among the questions of a server ends the process in go-sdk v1.8.0. When this
// test fails, the SDK has been mended.
func TestStockSDK_PanicsAtANullQuestion(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic any more: inputRequests may go")
		}
	}()
	var r sdk.CallToolResult
	_ = json.Unmarshal([]byte(`{"inputRequests":{"a":null}}`), &r)
}

func FuzzMessage(f *testing.F) {
	source, err := os.ReadFile("mend_test.go")
	if err != nil {
		f.Fatal(err)
	}
	for _, part := range strings.Split(string(source), "`") {
		if strings.HasPrefix(part, "{") {
			f.Add([]byte(part))
			f.Add([]byte(answer(part)))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got := Message(data)
		if !json.Valid(data) {
			if string(got) != string(data) {
				t.Fatalf("%q is no JSON and was changed to %q", data, got)
			}
			return
		}
		if len(got) > 0 && !json.Valid(got) {
			t.Fatalf("%q became %q, which is no JSON", data, got)
		}
		if again := Message(got); string(again) != string(got) {
			t.Fatalf("%q became %q and then %q", data, got, again)
		}
	})
}

// FuzzMessage_Result holds the mended result of a call against what the SDK makes of
// the original.
func FuzzMessage_Result(f *testing.F) {
	source, err := os.ReadFile("mend_test.go")
	if err != nil {
		f.Fatal(err)
	}
	for _, part := range strings.Split(string(source), "`") {
		if strings.HasPrefix(part, "{") {
			f.Add([]byte(part))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) || !utf8.Valid(data) || first(data) != '{' || deeper(data, 900) || duplicates(data) {
			return
		}
		mended := last(Message([]byte(answer(string(data)))), "result")
		for _, ours := range []string{"requestState", "inputRequests"} { // the SDK's affair
			mended = edit(mended, func(key, v []byte) []byte { return unless(string(key) == ours, v) })
			data = edit(data, func(key, v []byte) []byte { return unless(string(key) == ours, v) })
		}
		var got, want sdk.CallToolResult
		if err := json.Unmarshal(mended, &got); err != nil {
			t.Fatalf("the SDK does not read %q, made of %q: %v", mended, data, err)
		}
		stock := json.Unmarshal(data, &want)
		if stock != nil || strings.Contains(string(data), "tool_") { // of sampling
			return
		}
		if diff := cmp.Diff(want.Content, got.Content); diff != "" {
			t.Fatalf("%q became %q: %s", data, mended, diff)
		}
	})
}

// duplicates says whether an object, at any depth, has a key twice: the SDK merges
// what it read before.
func duplicates(data []byte) bool {
	seen := map[string]bool{}
	found := false
	edit(data, func(key, v []byte) []byte {
		found = found || seen[string(key)] || duplicates(v)
		seen[string(key)] = true
		return v
	})
	editList(data, func(v []byte) []byte {
		found = found || duplicates(v)
		return v
	})
	return found
}

func BenchmarkMessage(b *testing.B) {
	schema := `{"type":"object","properties":{"message":{"type":"string","description":"What to say."}},"required":["message"]}`
	for _, bench := range []struct{ name, data string }{
		{"small", answer(`{"content":[{"type":"text","text":"The weather in Oslo is cloudy, with 7 degrees and a light wind from the west. Rain is likely before noon."}],"isError":false}`)},
		{"structured", answer(`{"content":[{"type":"text","text":"{\"temperature\":7}"}],"structuredContent":{"temperature":7,"conditions":"cloudy","humidity":65}}`)},
		{"image 1 MB", answer(`{"content":[{"type":"image","data":"` + strings.Repeat("iVBO", 1<<18) + `","mimeType":"image/png"}]}`)},
		{"17 tools", answer(`{"tools":[` + strings.Repeat(`{"name":"echo","description":"Says it again.","inputSchema":`+schema+`},`, 16) + `{"name":"echo"}]}`)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			data := []byte(bench.data)
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				Message(data)
			}
		})
	}
}
