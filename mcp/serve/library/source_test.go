package library_test

import (
	"strings"
	"testing"

	"helve/catalog"
	"helve/mcp/serve/library"
)

const prompt = "name: p\nmessages:\n  - text: hi\n"

// TestWhatIsWrong: each mistake has its place, and says how to mend it.
func TestWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, path, text, want string }{
		{"an unknown key", "prompts/a.yaml", prompt + "titel: T\n", `prompts/a.yaml:4:1: unknown key "titel": did you mean title?`},
		{"no name", "prompts/a.yaml", "name: ' '\nmessages: [{text: hi}]\n", `prompts/a.yaml:1:7: the name is empty`},
		{"no messages", "prompts/a.yaml", "name: p\nmessages: []\n", `prompts/a.yaml:2:11: there is no message`},
		{"a misspelt argument", "prompts/a.yaml", "name: p\narguments: [{name: page}]\nmessages:\n  - text: See {pgae}.\n", `prompts/a.yaml:4:11: nothing has the name of {pgae}: did you mean {page}?`},
		{"an unknown argument", "prompts/a.yaml", "name: p\nmessages:\n  - text: See {here}.\n", `prompts/a.yaml:3:11: nothing has the name of {here}: write {{here}}`},
		{"an unknown argument of an address", "prompts/a.yaml", "name: p\nmessages:\n  - resource: a://{here}\n", `prompts/a.yaml:3:15: nothing has the name of {here}`},
		{"an argument that can't stand in a text", "prompts/a.yaml", "name: p\narguments: [{name: a b}]\nmessages: [{text: hi}]\n", `prompts/a.yaml:2:20: the name of an argument has letters`},
		{"an argument twice", "prompts/a.yaml", "name: p\narguments: [{name: a}, {name: a}]\nmessages: [{text: hi}]\n", `prompts/a.yaml:2:31: the argument a is there already`},
		{"an unknown role", "prompts/a.yaml", "name: p\nmessages: [{role: system, text: hi}]\n", `prompts/a.yaml:2:19: nobody has the role "system"`},
		{"an empty message", "prompts/a.yaml", "name: p\nmessages: [{role: user}]\n", `prompts/a.yaml:2:12: the message is empty`},
		{"two in one", "prompts/a.yaml", "name: p\nmessages: [{text: hi, image: a.png}]\n", `prompts/a.yaml:2:30: a message has one of text and image`},
		{"a picture that is none", "prompts/a.yaml", "name: p\nmessages: [{image: prompts/a.yaml}]\n", `prompts/a.yaml:2:20: prompts/a.yaml is not of the kind image/*`},
		{"a picture outside", "prompts/a.yaml", "name: p\nmessages: [{image: ../a.png}]\n", `prompts/a.yaml:2:20: ../a.png can't be read`},
		{"a picture that is not there", "prompts/a.yaml", "name: p\nmessages: [{image: a.png}]\n", `prompts/a.yaml:2: there is no file a.png in the workspace`},
		{"no content", "resources/a.yaml", "uri: a://b\nname: r\n", `resources/a.yaml:1:6: nothing is at this address`},
		{"two contents", "resources/a.yaml", "uri: a://b\nname: r\ntext: t\nfile: f\n", `resources/a.yaml:4:7: there is a text already`},
		{"no address", "resources/a.yaml", "uri: today\nname: r\ntext: t\n", `resources/a.yaml:1:6: this is no address`},
		{"our own address", "resources/a.yaml", "uri: helve://b\nname: r\ntext: t\n", `resources/a.yaml:1:6: addresses with helve: are the server's own`},
		{"an odd template", "resources/a.yaml", "uri: a://{?b}\nname: r\ntext: t\n", `resources/a.yaml:1:6: a variable is written as {name}`},
		{"an unknown variable", "resources/a.yaml", "uri: a://{page}\nname: r\nfile: wiki/{pag}.md\n", `resources/a.yaml:3:7: nothing has the name of {pag}: did you mean {page}?`},
		{"a file outside", "resources/a.yaml", "uri: a://b\nname: r\nfile: /etc/passwd\n", `resources/a.yaml:3:7: /etc/passwd is not below the workspace`},
		{"a file that is not there", "resources/a.yaml", "uri: a://b\nname: r\nfile: b.md\n", `resources/a.yaml:3: there is no file b.md in the workspace`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var all []string
			for _, p := range load(t, workspace(t, map[string]string{test.path: test.text})).Problems() {
				all = append(all, p.Error())
			}
			if got := strings.Join(all, "\n"); !strings.HasPrefix(got, test.want) || len(all) != 1 {
				t.Errorf("got  %s\nwant %s…", got, test.want)
			}
		})
	}
}

// TestTheFirstCounts: of two files that define the same the first is served.
func TestTheFirstCounts(t *testing.T) {
	t.Parallel()
	c := load(t, workspace(t, map[string]string{
		"prompts/a.yaml": prompt, "prompts/b.yaml": prompt,
		"resources/a.yaml": "uri: a://b\nname: first\ntext: t\n", "resources/b.yaml": "uri: a://b\nname: second\ntext: t\n",
	}))
	prompts, resources := library.Of(c)
	if len(prompts) != 1 || len(resources) != 1 || resources[0].Name != "first" {
		t.Errorf("served: %v, %v", prompts, resources)
	}
	problems := c.Problems()
	if len(problems) != 2 || !problems[0].Warning || !strings.HasPrefix(problems[0].Error(), "prompts/b.yaml:1: the prompt p is defined in prompts/a.yaml already") {
		t.Errorf("problems: %v", problems)
	}
}

// TestALastGoodVersionIsServed: to break a file takes nothing away.
func TestALastGoodVersionIsServed(t *testing.T) {
	t.Parallel()
	dir := workspace(t, map[string]string{"prompts/a.yaml": prompt})
	changed := make(chan *catalog.Catalog, 10)
	live, err := catalog.Watch(t.Context(), catalog.Options{Dir: dir, Sources: library.Sources()}, nil, func(c *catalog.Catalog) { changed <- c })
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	write(t, dir+"/prompts/a.yaml", prompt+"titel: T\n")
	c := <-changed
	for len(c.Problems()) == 0 {
		c = <-changed // it was read while it was written
	}
	if prompts, _ := library.Of(c); len(prompts) != 1 {
		t.Errorf("served: %v", prompts)
	}
}
