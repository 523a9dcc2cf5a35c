package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/schema"
)

func readOne(t *testing.T, raw string) listed {
	t.Helper()
	l, err := readTool("srv", json.RawMessage(raw), defaultLimits)
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	if err := l.definition.Check(); err != nil {
		t.Errorf("%s: no provider would take it: %v", raw, err)
	}
	return l
}

func TestReadTool(t *testing.T) {
	t.Parallel()
	l := readOne(t, `{"name":"sum","title":"Sum","description":" Adds.\nAll of it.\u0000 ","icons":5,"_meta":7,
		"inputSchema":{"type":"object","properties":{"z":{"type":"integer","maximum":12345678901234567890},"a":{"type":"number"}},"required":["z"]},
		"outputSchema":{"type":"object" },
		"annotations":{"readOnlyHint":true,"idempotentHint":true,"destructiveHint":false}}`)
	if l.raw != "sum" || l.definition.Name != "srv__sum" || l.definition.Description != "Adds.\nAll of it." || string(l.outputSchema) != `{"type":"object" }` {
		t.Errorf("%+v", l)
	}
	if want := `{"type":"object","properties":{"z":{"type":"integer","maximum":12345678901234567890},"a":{"type":"number"}},"required":["z"]}`; l.definition.Parameters.String() != want {
		t.Errorf("parameters %s, want %s", l.definition.Parameters, want)
	}
	if want := (hints{ReadOnly: true, Idempotent: true}); l.hints != want {
		t.Errorf("hints %+v", l.hints)
	}
	if l.definition.ReadOnly || l.definition.Idempotent {
		t.Error("a server's word made a tool repeatable")
	}
	if len(l.warnings) > 0 {
		t.Error(l.warnings)
	}
}

func TestReadTool_Description(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ fields, want string }{
		{`"title":"Echo it","description":"  "`, "Echo it"},
		{`"annotations":{"title":"Echo"}`, "Echo"},
		{`"description":5`, "The tool echo of the server srv."},
		{`"description":"a\u0007b\tc\r\nd\u009be"`, "ab\tc\nde"},
		{`"description":"a\udb40\udc41b"`, "ab"},
		{`"description":"` + strings.Repeat("é", 3000) + `"`, strings.Repeat("é", 2048) + "…"},
	} {
		if l := readOne(t, `{"name":"echo",`+tt.fields+`}`); l.definition.Description != tt.want {
			t.Errorf("%.100s: got %.100q, want %.100q", tt.fields, l.definition.Description, tt.want)
		}
	}
}

func TestReadTool_Errors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ raw, want string }{
		{`null`, `a tool is nothing`},
		{``, `a tool is nothing`},
		{`["a"]`, `a tool is no JSON object: ["a"]`},
		{`{"Name":"a"}`, `a tool has no name: {"Name":"a"}`},
		{`{"name":5}`, `a tool has no name: {"name":5}`},
		{`{"name":""}`, `a tool has no name: {"name":""}`},
		{`{"name":"` + strings.Repeat("n", 1025) + `"}`, `tool "` + strings.Repeat("n", 100) + `…": its name has 1025 bytes, and 1024 are allowed`},
		{`{"name":"a","execution":{"taskSupport":"required"}}`, `tool "a": it needs the tasks extension, which helve does not have`},
		{`{"name":"a","inputSchema":"` + strings.Repeat("x", 64<<10) + `"}`, `tool "a": its inputSchema has 65538 bytes, and 65536 are allowed`},
	} {
		if _, err := readTool("srv", json.RawMessage(tt.raw), defaultLimits); err == nil || err.Error() != tt.want {
			t.Errorf("%.100s: got %v, want %s", tt.raw, err, tt.want)
		}
	}
	readOne(t, `{"name":"a","execution":{"taskSupport":"optional"}}`)
}

func TestReadTool_Schema(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, want, warning string }{
		{`null`, `{"type":"object"}`, ""},
		{`true`, `{"type":"object"}`, ""},
		{`{}`, `{"type":"object"}`, ""},
		{`false`, `{"type":"object"}`, "is no object"},
		{`[]`, `{"type":"object"}`, "is no object"},
		{`"object"`, `{"type":"object"}`, "is no object"},
		{`{"properties":{"a":{}}}`, `{"type":"object","properties":{"a":{}}}`, ""},
		{`{"properties":{"a":true,"b":false}}`, `{"type":"object","properties":{"a":true,"b":false}}`, ""},
		{`{"additionalProperties":false,"type":["object","null"]}`, `{"additionalProperties":false,"type":"object"}`, ""},
		{`{"type":"dict"}`, `{"type":"object"}`, ""},
		{`{"type":""}`, `{"type":"object"}`, ""},
		{`{"type":"string"}`, `{"type":"object"}`, `of type "string"`},
		{`{"type":["string"]}`, `{"type":"object"}`, `of type ["string"]`},
		{`{"type":5}`, `{"type":"object"}`, ""},
		{`{"type":"object","properties":{"a":{"type":"float"}}}`, `{"type":"object","properties":{"a":{"type":"number"}}}`, "/properties/a/type"},
		{`{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}}}`, `{"type":"object","$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}}}`, ""},
		{`{"type":"object","$ref":"#"}`, `{"type":"object"}`, "circle"},
		{`{"type":"object","properties":{"m":{"type":"string","pattern":"^(?!\\.)a","default":5,"minLength":10000000000000000001}}}`, `{"properties":{"m":{"minLength":10000000000000000001,"type":"string"}},"type":"object"}`, "loosened"},
		{`{"type":"object","properties":[],"required":null,"$schema":"https://example.com/mine"}`, `{"properties":{},"type":"object"}`, "loosened"},
		{`{"type":"object","properties":{"pattern":{"type":"string","minimum":"x"},"default":{"$ref":"https://example.com/s"}},"required":{}}`, `{"properties":{"default":{},"pattern":{"type":"string"}},"type":"object"}`, "loosened"},
		{`{"type":"object","properties":{"a":{"type":{"x":1},"description":"The a."},"b":5}}`, `{"properties":{"a":{"description":"The a."},"b":{}},"type":"object"}`, "can't be used"},
		{`{"type":"object","type":"object"}`, `{"type":"object"}`, "loosened"},
	} {
		l := readOne(t, `{"name":"a","inputSchema":`+tt.in+`}`)
		if got := l.definition.Parameters.String(); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.in, got, tt.want)
		}
		if got := strings.Join(l.warnings, "; "); !strings.Contains(got, tt.warning) || tt.warning == "" && got != "" {
			t.Errorf("%s: warned %q, want %q", tt.in, got, tt.warning)
		}
	}
}

func TestReadTool_Fingerprint(t *testing.T) {
	t.Parallel()
	base := readOne(t, `{"name":"a","description":"d","inputSchema":{"type":"object","maxProperties":12345678901234567890},"annotations":{"x":1}}`).fingerprint
	for _, same := range []string{
		`{"annotations":{"x":1}, "inputSchema": {"maxProperties":12345678901234567890,"type":"object"},"description":"\u0064","name":"a"}`,
		`{"name":"a","description":"d","inputSchema":{"type":"object","maxProperties":12345678901234567890},"annotations":{"x":1},"icons":[],"_meta":{}}`,
		`{"name":"a","description":"d","inputSchema":{"type":"object","maxProperties":12345678901234567890},"annotations":{"x":1},"outputSchema":{}}`,
	} {
		if got := readOne(t, same).fingerprint; got != base {
			t.Errorf("%s has another fingerprint", same)
		}
	}
	for _, other := range []string{
		`{"name":"a","description":"d","inputSchema":{"type":"object","maxProperties":12345678901234567891},"annotations":{"x":1}}`,
		`{"name":"a","description":"d ","inputSchema":{"type":"object","maxProperties":12345678901234567890},"annotations":{"x":1}}`,
		`{"name":"a","title":"t","description":"d","inputSchema":{"type":"object","maxProperties":12345678901234567890},"annotations":{"x":1}}`,
		`{"name":"a","description":"d","inputSchema":{"type":"object","maxProperties":12345678901234567890},"annotations":{"x":2}}`,
	} {
		if got := readOne(t, other).fingerprint; got == base {
			t.Errorf("%s has the same fingerprint", other)
		}
	}
}

func FuzzReadTool(f *testing.F) {
	f.Add(`{"name":"a","inputSchema":{"type":"object","properties":{"a":{"pattern":"(?!a)","default":5}}}}`)
	f.Add(`{"name":"a b","description":5,"inputSchema":{"type":["object"],"required":null,"properties":[]}}`)
	f.Add(`{"name":"a","inputSchema":{"$ref":"#","properties":{"b":{"type":"dict"}}},"annotations":{"title":"t"},"execution":{"taskSupport":"required"}}`)
	f.Fuzz(func(t *testing.T, raw string) {
		l, err := readTool("srv", json.RawMessage(raw), defaultLimits)
		if err != nil {
			if l.definition.Name != "" {
				t.Fatalf("%q: %v, and it is a tool", raw, err)
			}
			return
		}
		if err := l.definition.Check(); err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		if _, err := schema.Compile(l.definition.Parameters.JSON()); err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		again, err := readTool("srv", json.RawMessage(raw), defaultLimits)
		if err != nil || again.fingerprint != l.fingerprint || again.definition.Parameters.String() != l.definition.Parameters.String() {
			t.Fatalf("%q is read in two ways: %s", raw, cmp.Diff(l.definition.Parameters.String(), again.definition.Parameters.String()))
		}
	})
}
