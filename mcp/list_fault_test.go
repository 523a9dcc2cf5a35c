package mcp_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"helve/tool"
)

// Faults of a list: each over a program and over HTTP.
var listFaults = map[string]func(t *testing.T, s *server, tools map[string]tool.Tool){
	"endless-pages": func(t *testing.T, s *server, tools map[string]tool.Tool) {
		if len(tools) == 0 || len(tools) > 2000 {
			t.Errorf("%d tools", len(tools))
		}
		calls(t, s, tools, "bad__page_0", "this is page_0")
	},
	"repeating-cursor": func(t *testing.T, s *server, tools map[string]tool.Tool) {
		s.works()
		if len(tools) > 100 {
			t.Errorf("%d tools", len(tools))
		}
	},
	"tools-5000": func(t *testing.T, s *server, tools map[string]tool.Tool) {
		s.works()
		if len(tools) > 2000 {
			t.Errorf("%d tools", len(tools))
		}
		calls(t, s, tools, "bad__tool_0007", "this is tool_0007")
	},
	"duplicate-names": func(t *testing.T, s *server, tools map[string]tool.Tool) {
		s.works() // the first keeps the name
		match(t, tools["bad__echo"].Definition().Description, "Returns its text")
	},
	"odd-names":      oddNames,
	"schema-null":    oddSchema,
	"schema-true":    oddSchema,
	"schema-array":   oddSchema,
	"schema-missing": oddSchema,
	"schema-huge":    capped,
	"schema-recursive": func(t *testing.T, s *server, tools map[string]tool.Tool) {
		oddSchema(t, s, tools)
		// every byte that says something is kept
		match(t, string(tools["bad__odd"].Definition().Schema().JSON()), `\$ref`, `12345678901234567890`)
	},
	"description-huge": capped,
}

func TestFaultsOfAList(t *testing.T) {
	t.Parallel()
	for name, check := range listFaults {
		for over, start := range map[string]func(*testing.T, string) *server{"stdio": overStdio, "HTTP": overHTTP} {
			t.Run(name+" over "+over, func(t *testing.T) {
				t.Parallel()
				s := start(t, name)
				stop := healthy(t)
				s.open()
				tools, err := s.tools()
				if err != nil {
					t.Fatal(whole(err))
				}
				check(t, s, tools)
				stop()
				s.close()
			})
		}
	}
}

// calls calls a tool by the name that models know.
func calls(t *testing.T, s *server, tools map[string]tool.Tool, name, answer string) {
	t.Helper()
	if tools[name] == nil {
		t.Errorf("no %s in %q", name, slices.Sorted(maps.Keys(tools)))
		return
	}
	result, err := s.run(within(t), tools[name], nil)
	if err != nil {
		t.Errorf("%s: %s", name, whole(err))
		return
	}
	if got := result.Text(); got != answer {
		t.Errorf("%s: %q, not %q", name, got, answer)
	}
}

// oddSchema wants the tool in the list, with parameters that providers take; tools
// checked that.
func oddSchema(t *testing.T, s *server, tools map[string]tool.Tool) {
	s.works()
	calls(t, s, tools, "bad__odd", "this is odd")
}

// capped wants the tool smaller, or not at all.
func capped(t *testing.T, s *server, tools map[string]tool.Tool) {
	s.works()
	odd := tools["bad__odd"]
	if odd == nil {
		return
	}
	d := odd.Definition()
	if n := len(d.Description) + len(d.Schema().JSON()); n > 150_000 {
		t.Errorf("%d bytes for one tool", n)
	}
	calls(t, s, tools, "bad__odd", "this is odd")
}

// oddNames wants that each tool can be called, under whatever name. A tool without a
// name is nobody's loss.
func oddNames(t *testing.T, s *server, tools map[string]tool.Tool) {
	s.works()
	long := strings.Repeat("long", 50)
	missing := map[string]bool{}
	for _, name := range []string{"read file", "files/read", "files.read", long, long + "er", "天气", "naïve", "a\nb", "-", "x y", "x/y"} {
		missing["this is "+name] = true
	}
	for name, one := range tools {
		if one.Definition().Description != "Says its name." {
			continue
		}
		result, err := s.run(within(t), one, nil)
		if err != nil {
			t.Errorf("%s: %s", name, whole(err))
			continue
		}
		delete(missing, result.Text())
	}
	if len(missing) > 0 {
		t.Errorf("no tool says %q", slices.Sorted(maps.Keys(missing)))
	}

	// The names are the same whichever server is asked, and when.
	again := overHTTP(t, "odd-names")
	again.open()
	other, err := again.tools()
	if err != nil {
		t.Fatal(whole(err))
	}
	if a, b := fmt.Sprint(slices.Sorted(maps.Keys(tools))), fmt.Sprint(slices.Sorted(maps.Keys(other))); a != b {
		t.Errorf("names depend on more than the list:\n%s\n%s", a, b)
	}
}

// A tool that only clients with tasks can call is no use to a model that has none.
func TestTaskRequiredIsNotOffered(t *testing.T) {
	t.Parallel()
	s := overStdio(t, "")
	s.open()
	tools, err := s.tools()
	if err != nil {
		t.Fatal(whole(err))
	}
	if tools["bad__task_required"] != nil {
		t.Error("it is in the list")
	}
}

func TestAllowAndDeny(t *testing.T) {
	t.Parallel()
	s := overStdio(t, "")
	s.config.Allow, s.config.Deny = []string{"e*", "counter"}, []string{"error*", "elicit", "environ"}
	s.open()
	tools, err := s.tools()
	if err != nil {
		t.Fatal(whole(err))
	}
	if got := slices.Sorted(maps.Keys(tools)); !slices.Equal(got, []string{"bad__counter", "bad__echo"}) {
		t.Errorf("%q", got)
	}
}

// Five notices in a burst, and five more tools: in the end all are known.
func TestListChanges(t *testing.T) {
	t.Parallel()
	for over, start := range overs {
		t.Run(over, func(t *testing.T) {
			t.Parallel()
			s := start(t, "list-changed-burst")
			s.awaitTools(func(tools map[string]tool.Tool) bool { return tools["bad__extra_5"] != nil })
			s.close()
		})
	}
}

// After the first list echo has another description.
func TestRugPullIsSeen(t *testing.T) {
	t.Parallel()
	for over, start := range overs {
		t.Run(over, func(t *testing.T) {
			t.Parallel()
			s := start(t, "rug-pull")
			s.awaitTools(func(tools map[string]tool.Tool) bool {
				return strings.Contains(tools["bad__echo"].Definition().Description, "evil.example")
			})
			s.close()
		})
	}
}

// awaitTools opens the client and asks for the tools each time that they changed, until
// they are as they should be.
func (s *server) awaitTools(good func(map[string]tool.Tool) bool) {
	s.t.Helper()
	changed := make(chan struct{}, 1)
	s.options.Changed = func() {
		select {
		case changed <- struct{}{}:
		default: // it is told already
		}
	}
	s.open()
	for ctx := within(s.t); ; {
		tools, err := s.tools()
		if err != nil {
			s.t.Fatal(whole(err))
		}
		if good(tools) {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			s.t.Fatalf("the tools stay as they are: %q", slices.Sorted(maps.Keys(tools)))
		}
	}
}
