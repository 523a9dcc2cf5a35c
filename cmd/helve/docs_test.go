package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestDocs plays the pages of docs that begin with a folder's files and commands: the
// page is the test. In it
//
//   - a block of code whose first line names a file, as in ```yaml agents/a.yaml, is that
//     file from then on;
//   - a block ```console has commands behind "$ " and what they print, on either stream.
//     A … stands for any text in its line, and a comment "# exits 2" behind a command
//     for its exit code.
func TestDocs(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	dir := t.TempDir()
	played := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		script := weave(t, page, string(text))
		if script == "" {
			continue
		}
		played++
		name := strings.TrimSuffix(filepath.Base(page), ".md") + ".txtar"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if played == 0 {
		t.Fatal("no page has commands")
	}
	api := ordersAPI()
	t.Cleanup(api.Close)
	setup := func(e *testscript.Env) error {
		e.Setenv("ORDERS_API", api.URL)
		e.Setenv("ORDERS_TOKEN", ordersToken)
		for name, value := range goCaches(t) {
			e.Setenv(name, value)
		}
		return nil
	}
	testscript.Run(t, testscript.Params{Dir: dir, Setup: setup, Condition: condition, RequireExplicitExec: true, Cmds: map[string]func(*testscript.TestScript, bool, []string){"shows": shows}})
}

var (
	fileBlock = regexp.MustCompile("^```[a-z]+ (\\S+)$")
	exitsWith = regexp.MustCompile(`\s+# exits (\d+)$`)
)

// weave makes a script of a page, or nothing of one without commands.
func weave(t *testing.T, page, text string) string {
	var script, files strings.Builder
	if strings.Contains(text, "\n$ helve sandbox run ") {
		script.WriteString("[!sandbox] skip 'no program can be isolated here'\n")
	}
	script.WriteString("env HOME=$WORK/home\nmkdir work\ncd work\n")
	commands, n := 0, 0
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		m := fileBlock.FindStringSubmatch(lines[i])
		if m == nil && lines[i] != "```console" {
			continue
		}
		end := i + 1
		for end < len(lines) && lines[end] != "```" {
			end++
		}
		block := lines[i+1 : end]
		i = end
		if m != nil {
			n++
			fmt.Fprintf(&files, "-- file%d --\n%s\n", n, strings.Join(block, "\n"))
			fmt.Fprintf(&script, "mkdir %s\ncp $WORK/file%d %s\n", filepath.Dir(m[1]), n, m[1])
			continue
		}
		for j := 0; j < len(block); {
			command, isCommand := strings.CutPrefix(block[j], "$ ")
			if !isCommand {
				t.Fatalf("%s: this stands before any command: %s", page, block[j])
			}
			j++
			from := j
			for j < len(block) && !strings.HasPrefix(block[j], "$ ") {
				j++
			}
			code := "0"
			if m := exitsWith.FindStringSubmatch(command); m != nil {
				command, code = strings.TrimSuffix(command, m[0]), m[1]
			}
			commands++
			switch word, rest, _ := strings.Cut(command, " "); word {
			case "cd":
				fmt.Fprintf(&script, "cd %s\n", rest)
			case "export":
				fmt.Fprintf(&script, "env %s\n", rest)
			default:
				n++
				fmt.Fprintf(&files, "-- file%d --\n%s\n", n, strings.Join(block[from:j], "\n"))
				fmt.Fprintf(&script, "shows $WORK/file%d %s %s\n", n, code, quoted(command))
			}
		}
	}
	if commands == 0 {
		return ""
	}
	return script.String() + files.String()
}

// quoted turns the quotes of a shell into those of testscript.
func quoted(command string) string {
	var b strings.Builder
	quote := rune(0)
	for _, r := range command {
		switch {
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
			b.WriteByte('\'')
		case r == quote:
			quote = 0
			b.WriteByte('\'')
		case r == '\'':
			b.WriteString("''")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// shows runs a command and compares all that it prints: shows FILE CODE COMMAND ARG...
func shows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: shows FILE CODE COMMAND ARG...")
	}
	exits(ts, false, args[1:])
	got := strings.TrimSpace(ts.ReadFile("stderr") + ts.ReadFile("stdout"))
	want := strings.TrimSpace(ts.ReadFile(args[0]))
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "…", ".*")
	if !regexp.MustCompile(`^` + pattern + `$`).MatchString(got) {
		ts.Fatalf("the page says\n%s\nand it is\n%s", want, got)
	}
}
