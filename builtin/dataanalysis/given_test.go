package dataanalysis

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/schema"
)

func TestGivenRow(t *testing.T) {
	t.Parallel()
	var row givenRow
	if err := json.Unmarshal([]byte(`["a", 12345678901234567890, 1.50, true, null]`), &row); err != nil {
		t.Fatal(err)
	}
	want := givenRow{"a", json.Number("12345678901234567890"), json.Number("1.50"), true, nil}
	if diff := cmp.Diff(want, row); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, bad := range []string{`[[1]]`, `[1, {"a":1}]`, `{"a":1}`, `[1`} {
		if err := json.Unmarshal([]byte(bad), &row); err == nil {
			t.Errorf("%s became %v", bad, row)
		}
	}
}

// A long ID stays what it is, on its way into a picture and into a workbook.
func TestGivenNumbersKeepTheirDigits(t *testing.T) {
	t.Parallel()
	const id = "12345678901234567891"
	f := newFolders(t)
	f.must("plot_tool", `{"kind":"bar","format":"svg","title":"ids","data":{"columns":["id","n"],"rows":[[`+id+`,1]]}}`)
	if file, err := f.config.Output.ReadFile("ids.svg"); err != nil || !strings.Contains(string(file), ">"+id+"<") {
		t.Errorf("the picture lacks the ID: %v", err)
	}
	f.must("excel_tool", `{"operation":"write","file":"ids.xlsx","rows":[[`+id+`,0.10]]}`)
	if got := f.must("excel_tool", `{"operation":"read","file":"ids.xlsx"}`); !strings.Contains(got, `[["`+id+`",0.1]]`) {
		t.Errorf("the workbook lacks the ID: %s", got)
	}
}

// Every provider can be told all that the tools take.
func TestNoSchemaHasFindings(t *testing.T) {
	t.Parallel()
	made, err := Tools(newFolders(t).config)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range made {
		d := m.Definition()
		for _, profile := range []schema.Profile{schema.OpenAI, schema.OpenAIStrict, schema.Gemini} {
			if _, findings := d.Parameters.Render(profile); len(findings) > 0 {
				t.Errorf("%s for %s: %v", d.Name, profile, findings)
			}
		}
	}
}
