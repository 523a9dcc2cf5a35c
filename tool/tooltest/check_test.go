package tooltest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"helve/message"
	"helve/schema"
	"helve/tool"
	"helve/tool/tooltest"
)

// fake is a tool that keeps every rule. The tests break it one rule at a time.
type fake struct {
	define func() tool.Definition
	call   func(context.Context, tool.Call) (tool.Result, error)
}

func (f *fake) Definition() tool.Definition { return f.define() }

func (f *fake) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	return f.call(ctx, call)
}

var city = schema.MustCompile(`{
	"type": "object",
	"properties": {
		"city": {"type": "string", "minLength": 1, "examples": ["Oslo"]},
		"days": {"type": "integer", "default": 3}
	},
	"required": ["city"],
	"additionalProperties": false
}`)

func sound() *fake {
	return &fake{
		define: func() tool.Definition {
			return tool.Definition{Name: "forecast", Description: "Forecast the weather.", Parameters: city}
		},
		call: func(context.Context, tool.Call) (tool.Result, error) { return tool.Text("sunny"), nil },
	}
}

// closing adds Close to a fake.
type closing struct {
	*fake
	closed func() error
}

func (c closing) Close() error { return c.closed() }

func TestCheck_SoundToolPasses(t *testing.T) {
	t.Parallel()
	if err := tooltest.Check(sound()); err != nil {
		t.Error(err)
	}
	if err := tooltest.Check(sound(), `{"city":"Oslo"}`, `{"city":"Bergen","days":1}`); err != nil {
		t.Error(err)
	}
}

func TestCheck_BrokenToolFails(t *testing.T) {
	t.Parallel()
	shared := []message.Part{message.Text("sunny")}
	picture := []byte("png")
	for name, test := range map[string]struct {
		breaks   func(*fake)
		examples []string
		want     []string // parts of the error
	}{
		"bad name": {
			breaks: func(f *fake) {
				f.define = redefined(func(d *tool.Definition) { d.Name = "get weather" })
			},
			want: []string{"definition: ", `"get weather"`, "letters"},
		},
		"no description": {
			breaks: func(f *fake) { f.define = redefined(func(d *tool.Definition) { d.Description = " " }) },
			want:   []string{"definition: ", "description"},
		},
		"schema is no object": {
			breaks: func(f *fake) {
				f.define = redefined(func(d *tool.Definition) { d.Parameters = schema.MustCompile(`{"type":"string"}`) })
			},
			want: []string{"definition: ", "must be an object"},
		},
		"definition with the time in it": {
			breaks: func(f *fake) {
				var n atomic.Int64
				f.define = redefined(func(d *tool.Definition) { d.Description += fmt.Sprint(n.Add(1)) })
			},
			want: []string{"definition: ", "not the same"},
		},
		"flags that change": {
			breaks: func(f *fake) {
				var n atomic.Int64
				f.define = redefined(func(d *tool.Definition) { d.ReadOnly = n.Add(1)%2 == 0 })
			},
			want: []string{"definition: ", "not the same"},
		},
		"definition panics": {
			breaks: func(f *fake) { f.define = func() tool.Definition { panic("no definition") } },
			want:   []string{"definition: panic: no definition"},
		},
		"example fails": {
			breaks: func(f *fake) {
				f.call = func(context.Context, tool.Call) (tool.Result, error) {
					return tool.Result{}, errors.New("no such city")
				}
			},
			want: []string{"examples: ", `{"city":"Oslo"}`, "no such city"},
		},
		"example is invalid": {
			breaks:   func(*fake) {},
			examples: []string{`{"town":"Oslo"}`},
			want:     []string{"examples: ", "/city"},
		},
		"example is no JSON": {
			breaks:   func(*fake) {},
			examples: []string{`city=Oslo`},
			want:     []string{"examples: ", "not valid JSON"},
		},
		"no example to be had": {
			breaks: func(f *fake) {
				f.define = redefined(func(d *tool.Definition) {
					d.Parameters = schema.MustCompile(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)
				})
			},
			want: []string{"examples: ", "give the kit"},
		},
		"panics": {
			breaks: func(f *fake) {
				f.call = func(context.Context, tool.Call) (tool.Result, error) { panic("boom") }
			},
			want: []string{"examples: ", "panic: boom"},
		},
		"content that can't be stored": {
			breaks: func(f *fake) {
				f.call = func(context.Context, tool.Call) (tool.Result, error) {
					return tool.Result{Content: []message.Part{&message.Image{URL: "https://example.com/a.png"}}}, nil
				}
			},
			want: []string{"examples: ", "*message.Image"},
		},
		"artifact that failed": {
			breaks: func(f *fake) {
				f.call = func(context.Context, tool.Call) (tool.Result, error) {
					return tool.WithArtifact(make(chan int), nil), nil
				}
			},
			want: []string{"examples: ", "chan int"},
		},
		"changes its arguments": {
			breaks: func(f *fake) {
				f.call = func(_ context.Context, call tool.Call) (tool.Result, error) {
					call.Arguments[0] = '['
					return tool.Text("sunny"), nil
				}
			},
			want: []string{"examples: ", "changed its arguments"},
		},
		"fails beside others": {
			breaks: func(f *fake) {
				var busy atomic.Int64
				f.call = func(context.Context, tool.Call) (tool.Result, error) {
					defer busy.Add(-1)
					if busy.Add(1) > 1 {
						return tool.Result{}, errors.New("one at a time")
					}
					time.Sleep(time.Second) // in a synctest bubble
					return tool.Text("sunny"), nil
				}
			},
			want: []string{"concurrent: ", "one at a time"},
		},
		"deaf to cancel": {
			breaks: func(f *fake) {
				f.call = func(context.Context, tool.Call) (tool.Result, error) {
					time.Sleep(time.Minute)
					return tool.Text("sunny"), nil
				}
			},
			want: []string{"cancel: ", "had ended before", "did not return within 10s"},
		},
		"sees only a context that ended before": {
			breaks: func(f *fake) {
				f.call = func(ctx context.Context, _ tool.Call) (tool.Result, error) {
					if ctx.Err() == nil {
						time.Sleep(time.Minute)
					}
					return tool.Text("sunny"), nil
				}
			},
			want: []string{"cancel: ", "ended while it ran", "did not return within 10s"},
		},
		"results share a slice": {
			breaks: func(f *fake) {
				f.call = func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{Content: shared}, nil }
			},
			want: []string{"results: ", "share memory"},
		},
		"results share a picture": {
			breaks: func(f *fake) {
				f.call = func(context.Context, tool.Call) (tool.Result, error) {
					return tool.Result{Content: []message.Part{message.Image{Data: picture, MediaType: "image/png"}}}, nil
				}
			},
			want: []string{"results: ", "share memory"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := sound()
				test.breaks(f)
				wantError(t, tooltest.Check(f, test.examples...), test.want...)
				time.Sleep(time.Hour) // the bubble's: a call that was left behind ends
			})
		})
	}
}

func TestCheck_Closer(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		tool func() tool.Tool
		want []string
	}{
		"closes": {tool: func() tool.Tool { return closing{sound(), func() error { return nil }} }},
		"close fails": {
			tool: func() tool.Tool { return closing{sound(), func() error { return errors.New("still busy") }} },
			want: []string{"close: ", "still busy"},
		},
		"a call after close panics": {
			tool: func() tool.Tool {
				f, conn := sound(), new(int)
				f.call = func(context.Context, tool.Call) (tool.Result, error) { return tool.Text(fmt.Sprint(*conn)), nil }
				return closing{f, func() error { conn = nil; return nil }}
			},
			want: []string{"close: ", "nil pointer"},
		},
		"a call after close hangs": {
			tool: func() tool.Tool {
				f := sound()
				return closing{f, func() error {
					f.call = func(context.Context, tool.Call) (tool.Result, error) {
						time.Sleep(time.Minute)
						return tool.Text("sunny"), nil
					}
					return nil
				}}
			},
			want: []string{"close: ", "after Close", "did not return within 10s"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				wantError(t, tooltest.Check(test.tool()), test.want...)
				time.Sleep(time.Hour) // the bubble's: a call that was left behind ends
			})
		})
	}
}

// A broken rule is told once, and the others are checked all the same.
func TestCheck_NamesEachBrokenRule(t *testing.T) {
	t.Parallel()
	f := sound()
	f.define = redefined(func(d *tool.Definition) { d.Description = "" })
	err := tooltest.Check(closing{f, func() error { return errors.New("still busy") }})
	wantError(t, err, "definition: ", "close: ")
	if got := strings.Count(err.Error(), "\n") + 1; got != 2 {
		t.Errorf("%d lines, want one for each broken rule:\n%v", got, err)
	}
}

// The kit makes its own call of the schema's examples, defaults and enums.
func TestCheck_OwnExamples(t *testing.T) {
	t.Parallel()
	for parameters, want := range map[string]string{
		`{"type":"object","properties":{"city":{"type":"string","examples":["Oslo"]}},"required":["city"]}`:                `{"city":"Oslo"}`,
		`{"type":"object","properties":{"order":{"enum":["asc","desc"]}},"required":["order"]}`:                            `{"order":"asc"}`,
		`{"type":"object","properties":{"city":{"type":"string","default":"Rome"}},"required":["city"]}`:                   `{"city":"Rome"}`,
		`{"type":"object","properties":{"city":{"type":"string"}}}`:                                                        `{}`,
		`{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"examples":[{"a":12345678901234567890}]}`: `{"a":12345678901234567890}`,
	} {
		var got atomic.Value
		f := sound()
		f.define = redefined(func(d *tool.Definition) { d.Parameters = schema.MustCompile(parameters) })
		f.call = func(_ context.Context, call tool.Call) (tool.Result, error) {
			got.Store(string(call.Arguments))
			return tool.Text("sunny"), nil
		}
		if err := tooltest.Check(f); err != nil {
			t.Errorf("%s: %v", parameters, err)
		}
		if got.Load() != want {
			t.Errorf("%s: called with %v, want %s", parameters, got.Load(), want)
		}
	}
}

func redefined(change func(*tool.Definition)) func() tool.Definition {
	return func() tool.Definition {
		d := sound().define()
		change(&d)
		return d
	}
}

func wantError(t *testing.T, err error, want ...string) {
	t.Helper()
	if len(want) == 0 {
		if err != nil {
			t.Error(err)
		}
		return
	}
	if err == nil {
		t.Fatalf("Check found nothing, want %q", want)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("Check says nothing of %q:\n%v", w, err)
		}
	}
}
