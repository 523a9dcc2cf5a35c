package tool_test

import (
	"context"
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"time"

	"helve/message"
	"helve/schema"
	"helve/tool"
)

type withChannel struct {
	Name  string   `json:"name"`
	Ready chan int `json:"ready"`
}

type withFunc struct {
	Inner struct {
		Done func() `json:"done"`
	} `json:"inner"`
}

type forged struct {
	Query string `json:"query"`
	Meta  struct {
		ID tool.CallID `json:"id"`
	} `json:"meta"`
}

// Every error names the tool and the place, and says how to mend it.
func TestNew_Errors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err  error
		want []string
	}{
		"channel in the input":   {input[withChannel](), []string{"Ready", "chan int", `json:"-"`}},
		"function in the input":  {input[withFunc](), []string{"Inner.Done", "func()", `json:"-"`}},
		"integer keys":           {input[map[int]string](), []string{"map[int]string", "string keys"}},
		"input is a string":      {input[string](), []string{"its input is string", "struct or a map"}},
		"input is a list":        {input[[]string](), []string{"its input is []string", "struct or a map"}},
		"input is anything":      {input[any](), []string{"its input is interface {}", "struct or a map"}},
		"input is a time":        {input[time.Time](), []string{"its input is time.Time", "struct or a map"}},
		"input is a set":         {input[schema.Set[string]](), []string{"its input is schema.Set", "struct or a map"}},
		"input is a big integer": {input[big.Int](), []string{"its input is big.Int", "struct or a map"}},
		"input is the runtime":   {input[*tool.Runtime](), []string{"its input is of type *tool.Runtime", "tool.RuntimeFrom(ctx)"}},
		"call ID in the input":   {input[forged](), []string{"input field Meta.ID", "tool.CallID", "tool.RuntimeFrom(ctx).CallID"}},
		"state in the input":     {input[one[*tool.State]](), []string{"input field V", "tool.State", "tool.RuntimeFrom(ctx).State"}},
		"store in the input":     {input[one[[]tool.Store]](), []string{"input field V", "tool.Store", "tool.RuntimeFrom(ctx).Store"}},
		"runtime in the input":   {input[one[map[string]tool.Runtime]](), []string{"input field V", "tool.Runtime", "tool.RuntimeFrom(ctx)"}},
		"call IDs as the input":  {input[map[string]tool.CallID](), []string{"its input", "tool.CallID"}},
		"tag that is unknown":    {input[misspelt](), []string{"Name", "minlength"}},

		"channel as the output":   {output[chan int](), []string{"its output is of type chan int", "tool.Result"}},
		"channel in the output":   {output[*withChannel](), []string{"output field Ready", "chan int"}},
		"function in the output":  {output[[]withFunc](), []string{"output field Inner.Done", "func()"}},
		"complex number":          {output[complex128](), []string{"complex128"}},
		"pointer to a picture":    {output[*message.Image](), []string{"*message.Image", "by value"}},
		"pointers to pictures":    {output[[]*message.Image](), []string{"*message.Image", "by value"}},
		"map with struct as keys": {output[map[one[int]]string](), []string{"its output", "keys"}},

		"name with a space": {named("get weather", "x"), []string{`"get weather"`, "letters"}},
		"no name":           {named("", "x"), []string{`""`, "1 to 64"}},
		"name too long":     {named(strings.Repeat("a", 65), "x"), []string{"1 to 64"}},
		"name in Chinese":   {named("搜索", "x"), []string{"搜索", "letters"}},
		"no description":    {named("search", ""), []string{"tool search", "description"}},
		"blank description": {named("search", " \n"), []string{"tool search", "description"}},

		"schema is no JSON":            {explicit(`{"type":`), []string{"not valid JSON"}},
		"no schema":                    {explicit(``), []string{"not valid JSON"}},
		"schema of an array":           {explicit(`{"type":"array"}`), []string{"must be an object", `"type":"object"`}},
		"schema without a type":        {explicit(`{"properties":{}}`), []string{"must be an object"}},
		"schema of two types":          {explicit(`{"type":["object","null"]}`), []string{"must be an object"}},
		"schema true":                  {explicit(`true`), []string{"must be an object"}},
		"schema with its type in caps": {explicit(`{"TYPE":"object"}`), []string{"must be an object"}},
		"schema from elsewhere":        {explicit(`{"type":"object","properties":{"a":{"$ref":"https://example.com/a.json"}}}`), []string{"example.com"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.err == nil {
				t.Fatal("the tool was made")
			}
			for _, want := range append(test.want, "tool ") {
				if !strings.Contains(test.err.Error(), want) {
					t.Errorf("error %q, want %q in it", test.err, want)
				}
			}
		})
	}
}

type misspelt struct {
	Name string `json:"name" jsonschema:"minlength=1"`
}

func input[In any]() error {
	_, err := tool.New("x", "Do it.", func(context.Context, In) (string, error) { return "", nil })
	return err
}

func output[Out any]() error {
	_, err := tool.New("x", "Do it.", func(context.Context, struct{}) (out Out, err error) { return out, nil })
	return err
}

func named(name, description string) error {
	_, err := tool.New(name, description, func(context.Context, struct{}) (string, error) { return "", nil })
	return err
}

func explicit(parameters string) error {
	_, err := tool.FromSchema("x", "Do it.", []byte(parameters), func(context.Context, json.RawMessage) (any, error) { return nil, nil })
	return err
}

func TestMust_PanicsWithTheError(t *testing.T) {
	t.Parallel()
	err := named("get weather", "x")
	defer func() {
		if got := recover(); got == nil || got.(error).Error() != err.Error() {
			t.Errorf("Must panicked with %v, want %v", got, err)
		}
	}()
	tool.Must(tool.New("get weather", "x", func(context.Context, struct{}) (string, error) { return "", nil }))
}

func TestDefinition_CheckRefusesWhatNewRefuses(t *testing.T) {
	t.Parallel()
	good := tool.Definition{Name: "search", Description: "Search."}
	if err := good.Check(); err != nil {
		t.Errorf("a tool without parameters: %v", err)
	}
	for want, change := range map[string]func(*tool.Definition){
		"letters":           func(d *tool.Definition) { d.Name = "a.b" },
		"…":                 func(d *tool.Definition) { d.Name = strings.Repeat("x", 10_000) },
		"description":       func(d *tool.Definition) { d.Description = "\t" },
		"must be an object": func(d *tool.Definition) { d.Parameters = schema.MustCompile(`{"type":"string"}`) },
	} {
		d := good
		change(&d)
		if err := d.Check(); err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
			t.Errorf("Check: %v, want %q in it", err, want)
		}
	}
}
