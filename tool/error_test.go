package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"helve/message"
	"helve/tool"
)

func TestError_JSONGolden(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]*tool.Error{
		`{"success":false,"error":"Tool not found: serch","code":"not_found","available":["search"]}`: {
			Kind: tool.KindNotFound, Message: "Tool not found: serch", Detail: map[string]any{"available": []string{"search"}},
		},
		`{"success":false,"error":"boom","code":"execution"}`: {
			Kind: tool.KindExecution, Message: "boom", Err: errors.New("s3cret"), Retryable: true,
		},
		`{"success":false,"error":"a < b & \"c\"\n","code":"execution","hint":"<x>"}`: {
			Kind: tool.KindExecution, Message: "a < b & \"c\"\n", Detail: map[string]any{"hint": "<x>"},
		},
		`{"success":false,"error":"","code":"denied","a":1,"b":null,"c":{"d":2}}`: {
			Kind: tool.KindDenied, Detail: map[string]any{"c": map[string]int{"d": 2}, "a": 1, "b": nil},
		},
		// What is no JSON, and what would take the place of a fixed key, is left out.
		`{"success":false,"error":"boom","code":"execution","z":1}`: {
			Kind: tool.KindExecution, Message: "boom",
			Detail: map[string]any{"n": math.NaN(), "c": make(chan int), "success": true, "error": "other", "code": "other", "z": 1},
		},
	} {
		got, err := e.MarshalJSON()
		if err != nil || string(got) != want {
			t.Errorf("MarshalJSON() = %s, %v\nwant %s", got, err, want)
		}
		if data, err := json.Marshal(e); err != nil || !json.Valid(data) {
			t.Errorf("json.Marshal: %s, %v", data, err)
		}
	}
}

func TestAsError(t *testing.T) {
	t.Parallel()
	own := &tool.Error{Kind: tool.KindDenied, Message: "no"}
	for name, test := range map[string]struct {
		err  error
		want tool.Error // without Err
	}{
		"its own":             {own, *own},
		"its own, wrapped":    {fmt.Errorf("calling: %w", own), *own},
		"canceled":            {context.Canceled, tool.Error{Kind: tool.KindCanceled, Message: "The call was canceled."}},
		"deadline":            {fmt.Errorf("get: %w", context.DeadlineExceeded), tool.Error{Kind: tool.KindTimeout, Message: "The tool took too long."}},
		"any other":           {fmt.Errorf("open: %w", os.ErrNotExist), tool.Error{Kind: tool.KindExecution, Message: "open: file does not exist"}},
		"nil *Error":          {(*tool.Error)(nil), tool.Error{Kind: tool.KindExecution, Message: "The tool failed and did not say why."}},
		"nil *Error, wrapped": {errors.Join((*nothing)(nil)), tool.Error{Kind: tool.KindExecution, Message: "The tool failed and did not say why."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := tool.AsError(test.err)
			if got == nil {
				t.Fatal("AsError returned nil for an error")
			}
			if got.Kind != test.want.Kind || got.Message != test.want.Message {
				t.Errorf("AsError(%v) = %v, want %v", test.err, got, &test.want)
			}
			if strings.HasPrefix(name, "its own") && got != own {
				t.Error("AsError copied a *tool.Error")
			}
			if name == "any other" && !errors.Is(got, test.err) {
				t.Error("the cause is lost")
			}
		})
	}
	if got := tool.AsError(nil); got != nil {
		t.Errorf("AsError(nil) = %v", got)
	}
}

// nothing is an error that says it is a *tool.Error, and a nil one.
type nothing struct{}

func (*nothing) Error() string { return "nothing" }

func (*nothing) As(target any) bool {
	e, ok := target.(**tool.Error)
	if ok {
		*e = nil
	}
	return ok
}

func TestError_CauseIsForTheHostAlone(t *testing.T) {
	t.Parallel()
	cause := errors.New("password=s3cret")
	e := &tool.Error{Kind: tool.KindUnavailable, Message: "The server is down.", Err: cause}
	data, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{e.Error(), fmt.Sprint(e), string(data)} {
		if strings.Contains(text, "s3cret") {
			t.Errorf("the cause shows: %s", text)
		}
	}
	if !errors.Is(e, cause) {
		t.Error("the host can't find the cause")
	}
	if got, want := e.Error(), "unavailable: The server is down."; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
}

// A tool may return the kind that it wants; Invoke keeps it as it is.
func TestInvoke_KeepsTheToolsOwnError(t *testing.T) {
	t.Parallel()
	own := &tool.Error{Kind: tool.KindUnavailable, Message: "Try later.", Retryable: true, Detail: map[string]any{"after": 5}}
	for name, broken := range map[string]tool.Tool{
		"returned": returns(func() (string, error) { return "", own }),
		"wrapped":  returns(func() (string, error) { return "", fmt.Errorf("get: %w", own) }),
		"as value": returns(func() (error, error) { return own, nil }),
	} {
		if _, err := tool.Invoke(t.Context(), broken, tool.Call{}); err != own {
			t.Errorf("%s: Invoke gave %v", name, err)
		}
	}
}

// Doc 002, 2.3: a failed tool message is a failed call.
func TestInvoke_FailedToolMessage(t *testing.T) {
	t.Parallel()
	broken := gives(message.ToolResult{IsError: true, Content: []message.Part{message.Text("no such "), message.Text("city")}})
	_, err := tool.Invoke(t.Context(), broken, tool.Call{})
	if e := wantKind(t, err, tool.KindExecution); e.Message != "no such city" {
		t.Errorf("message %q", e.Message)
	}
}
