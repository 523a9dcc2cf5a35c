package skill

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func names(skills []*Skill) []string {
	var all []string
	for _, s := range skills {
		all = append(all, s.Name)
	}
	return all
}

func TestFolders(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"skills", ".agents/skills", ".helve/skills", ".claude/skills"}, Folders("")); diff != "" {
		t.Error(diff)
	}
	own := Folders("/home/ada")
	if own[4] != filepath.Join("/home/ada", ".agents", "skills") || len(own) != 7 {
		t.Errorf("%q", own)
	}
}

// A bad skill hides no other, wherever it is.
func TestOpen_ABadSkillHidesNoOther(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, map[string]string{
		"good/SKILL.md":               skillMD("good", ""),
		"bad/SKILL.md":                "no frontmatter",
		"group/deep/there/SKILL.md":   skillMD("there", ""),
		"a/b/c/d/e/too-deep/SKILL.md": skillMD("too-deep", ""),
		".hidden/SKILL.md":            skillMD("hidden", ""),
		"node_modules/x/SKILL.md":     skillMD("x", ""),
		"good/inner/SKILL.md":         skillMD("inner", ""),
		"README.md":                   "text",
	})
	outside := folderOf(t, map[string]string{"secret/SKILL.md": skillMD("secret", "")})
	if err := os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "secret")); err != nil {
		t.Fatal(err)
	}
	l, problems := Open(Options{Folders: []string{dir, filepath.Join(dir, "none")}})
	if diff := cmp.Diff([]string{"good", "there"}, names(l.Skills())); diff != "" {
		t.Error(diff)
	}
	want := "error: bad/SKILL.md: it begins with no frontmatter: write a line ---, then name: and description:, then a line ---\n" +
		"warning: secret: symbolic links are not followed: put a copy there\n"
	if diff := cmp.Diff(want, shown(dir, problems)); diff != "" {
		t.Error(diff)
	}
}

func TestOpen_TheEarlierFolderCounts(t *testing.T) {
	t.Parallel()
	project := folderOf(t, map[string]string{"greet/SKILL.md": skillMD("greet", "license: mine\n")})
	user := folderOf(t, map[string]string{"greet/SKILL.md": skillMD("greet", ""), "other/SKILL.md": skillMD("other", "")})
	l, problems := Open(Options{Folders: []string{project, user}})
	if diff := cmp.Diff([]string{"greet", "other"}, names(l.Skills())); diff != "" {
		t.Error(diff)
	}
	if s, err := l.Skill("greet"); err != nil || s.License != "mine" {
		t.Errorf("%+v, %v", s, err)
	}
	want := "warning: " + user + "/greet/SKILL.md: the skill greet is defined in greet/SKILL.md already, which counts: rename one of them if that is not meant\n"
	if diff := cmp.Diff(want, shown(project, problems)); diff != "" {
		t.Error(diff)
	}
}

func TestOpen_Bounds(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, map[string]string{"a/SKILL.md": skillMD("a", ""), "b/SKILL.md": skillMD("b", "")})
	for name, test := range map[string]struct {
		make func(d *discovery)
		want string
	}{
		"folders": {func(d *discovery) { d.looked = maxFolders - 1 }, "more than 2000 folders"},
		"skills":  {func(d *discovery) { d.skills = make([]*Skill, maxSkills-1) }, "more than 1000 skills"},
		"bytes":   {func(d *discovery) { d.bytes = maxRead }, "more than 256 MiB"},
	} {
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		d := discovery{seen: map[string]*Skill{}, root: root, at: dir, shown: dir}
		test.make(&d)
		d.visit(".", 1)
		if len(d.seen) != 1 || len(d.problems) != 1 || !strings.Contains(d.problems[0].Message, test.want) {
			t.Errorf("%s: %v, %v", name, d.seen, d.problems)
		}
	}
}

// What lies in a skill's folder is its own only if it is a regular file.
func TestLoad_OnlyRegularFiles(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, map[string]string{
		"SKILL.md": skillMD("x", ""), "run.sh!": "#!/bin/sh", ".env": "KEY=1", "node_modules/a.js": "1", "a/b.txt": "b", "a.txt": "a",
	})
	secret := filepath.Join(t.TempDir(), "secret")
	writeFile(t, secret, "s", 0o600)
	for name, target := range map[string]string{"out": secret, "in": "run.sh", "up": ".."} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, problems := Load(dir)
	var got []string
	for _, f := range s.Files {
		got = append(got, fmt.Sprintf("%s %d %t", f.Path, f.Size, f.Executable))
	}
	if diff := cmp.Diff([]string{"SKILL.md 45 false", "a.txt 1 false", "a/b.txt 1 false", "run.sh 9 true"}, got); diff != "" {
		t.Error(diff)
	}
	if n := strings.Count(shown(dir, problems), "put a copy of the file there"); n != 4 {
		t.Errorf("%d problems:\n%s", n, shown(dir, problems))
	}
}

func TestLoad_Refused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		make func(t *testing.T, dir string)
		want string
	}{
		"SKILL.md is a link": {func(t *testing.T, dir string) {
			writeFile(t, filepath.Join(dir, "other.md"), skillMD("x", ""), 0o600)
			if err := os.Symlink("other.md", filepath.Join(dir, "SKILL.md")); err != nil {
				t.Fatal(err)
			}
		}, "SKILL.md is a symbolic link: copy the file"},
		"SKILL.md is a folder": {func(t *testing.T, dir string) {
			writeFile(t, filepath.Join(dir, "SKILL.md", "x"), "", 0o600)
		}, "this is no regular file that can be read"},
		"SKILL.md is a pipe": {func(t *testing.T, dir string) {
			if err := syscall.Mkfifo(filepath.Join(dir, "SKILL.md"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "this is no regular file that can be read"},
		"SKILL.md is long": {func(t *testing.T, dir string) {
			writeFile(t, filepath.Join(dir, "SKILL.md"), skillMD("x", "")+strings.Repeat("x", maxMain), 0o600)
		}, "SKILL.md is longer than 256 KiB"},
		"sparse and huge": {func(t *testing.T, dir string) {
			writeFile(t, filepath.Join(dir, "SKILL.md"), skillMD("x", ""), 0o600)
			writeFile(t, filepath.Join(dir, "big"), "", 0o600)
			if err := os.Truncate(filepath.Join(dir, "big"), 1<<40); err != nil {
				t.Fatal(err)
			}
		}, "its files hold more than 32 MiB"},
		"many files": {func(t *testing.T, dir string) {
			for i := range maxFiles + 1 {
				writeFile(t, filepath.Join(dir, fmt.Sprint(i)), "", 0o600)
			}
			writeFile(t, filepath.Join(dir, "SKILL.md"), skillMD("x", ""), 0o600)
		}, "it has more than 1000 files"},
		"deep": {func(t *testing.T, dir string) {
			writeFile(t, filepath.Join(dir, "SKILL.md"), skillMD("x", ""), 0o600)
			writeFile(t, filepath.Join(dir, "a/b/c/d/e/f/g/h/i"), "", 0o600)
		}, "more than 8 deep"},
		"no folder": {func(t *testing.T, dir string) {
			if err := os.Remove(dir); err != nil {
				t.Fatal(err)
			}
		}, "the folder can't be read: it is not there"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			test.make(t, dir)
			s, problems := Load(dir)
			if s != nil || len(problems) == 0 || !strings.Contains(shown(dir, problems), test.want) {
				t.Errorf("%+v:\n%s", s, shown(dir, problems))
			}
		})
	}
}

func TestDigest(t *testing.T) {
	t.Parallel()
	files := map[string]string{"SKILL.md": skillMD("x", ""), "a": "1"}
	first, _ := Load(folderOf(t, files))
	same, _ := Load(folderOf(t, files))
	if first.Digest != same.Digest || !strings.HasPrefix(first.Digest, "sha256:") {
		t.Errorf("%s, %s", first.Digest, same.Digest)
	}
	for _, other := range []map[string]string{
		{"SKILL.md": skillMD("x", ""), "a": "2"}, {"SKILL.md": skillMD("x", ""), "b": "1"},
		{"SKILL.md": skillMD("x", ""), "a!": "1"}, {"SKILL.md": skillMD("x", "")},
	} {
		if s, _ := Load(folderOf(t, other)); s.Digest == first.Digest {
			t.Errorf("%v has the same digest", other)
		}
	}
}

func TestCatalogue(t *testing.T) {
	t.Parallel()
	if l, _ := Open(Options{}); l.Catalogue() != "" || l.Tools() != nil {
		t.Error("without skills there is a catalogue, or a tool")
	}
	l, _ := libraryOf(t, nil, map[string]string{
		"b/SKILL.md": "---\nname: b\ndescription: Says </description><x> & \"more\".\n---\n", "a/SKILL.md": skillMD("a", ""),
		"hidden/SKILL.md": skillMD("hidden", "disable-model-invocation: true\n"),
	})
	want := "<available_skills>\n<skill><name>a</name><description>Does a.</description></skill>\n" +
		"<skill><name>b</name><description>Says &lt;/description&gt;&lt;x&gt; &amp; &#34;more&#34;.</description></skill>\n</available_skills>"
	if _, got, _ := strings.Cut(l.Catalogue(), "\n\n"); got != want {
		t.Error(got)
	}
}

// Many skills are told in fewer words, never in more than the bound.
func TestCatalogue_IsBounded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		skills int
		want   string
	}{{20, "</description>"}, {100, "…</description>"}, {400, "<skill><name>s0399</name></skill>"}, {1500, "more skills are not listed."}} {
		l := &Library{}
		for i := range test.skills {
			l.skills = append(l.skills, &Skill{Name: fmt.Sprintf("s%04d", i), Description: strings.Repeat("long ", 100)})
		}
		got := l.Catalogue()
		if len(got) > maxCatalogue || !strings.Contains(got, test.want) {
			t.Errorf("%d skills: %d bytes: %.200s", test.skills, len(got), got)
		}
	}
}

// BenchmarkOpen is 500 skills of four files each.
func BenchmarkOpen(b *testing.B) {
	files := map[string]string{}
	for i := range 500 {
		name := fmt.Sprintf("skill-%03d", i)
		files[name+"/SKILL.md"] = skillMD(name, "license: MIT\nmetadata:\n  author: Ada\n") + strings.Repeat("Some words of instruction.\n", 200)
		files[name+"/scripts/run.py!"] = strings.Repeat("print(1)\n", 300)
		files[name+"/references/guide.md"] = strings.Repeat("More words.\n", 500)
		files[name+"/LICENSE.txt"] = strings.Repeat("free\n", 2000)
	}
	dir := folderOf(b, files)
	for b.Loop() {
		if l, problems := Open(Options{Folders: []string{dir}}); len(l.skills) != 500 || len(problems) > 0 {
			b.Fatal(len(l.skills), problems)
		}
	}
}

// To lint a folder says all that loading it says, and of each skill all that Lint does.
func TestLintAll(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, map[string]string{
		"long/SKILL.md":    strings.Repeat("x", maxMain+1),
		"good/SKILL.md":    skillMD("good", "version: 1\n"),
		"readme/README.md": "Hello.", "misspelt/skil.md": skillMD("misspelt", ""),
		"group/x/SKILL.md": skillMD("x", ""), "group/README.md": "Two.",
		"loose.md": "Do it.", "README.md": "All.", "empty/.gitkeep": "",
	})
	if err := os.Symlink("good", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	n, problems := LintAll(dir)
	want := "warning: link: symbolic links are not followed: put a copy there\n" +
		"error: good/SKILL.md:4:1: unknown key \"version\": put what is your own below metadata\n" +
		"error: long: SKILL.md is longer than 256 KiB\n" +
		"warning: loose.md: this is no skill: a skill is a folder with a SKILL.md: put it into a folder of its own, as SKILL.md, if it is a skill\n" +
		"warning: misspelt: there is no SKILL.md in this folder, so it is no skill: rename skil.md to SKILL.md\n" +
		"warning: readme: there is no SKILL.md in this folder, so it is no skill: add a SKILL.md, with name: and description:, if it is meant to be one\n"
	got, wanted := strings.Split(shown(dir, problems), "\n"), strings.Split(want, "\n")
	slices.Sort(got)
	slices.Sort(wanted)
	if diff := cmp.Diff(wanted, got); diff != "" || n != 3 {
		t.Errorf("%d skills\n%s", n, diff)
	}
	_, loading := Open(Options{Folders: []string{dir}})
	for _, p := range loading {
		if !strings.Contains(shown(dir, problems), p.Message) {
			t.Errorf("lint lacks %s", p.Error())
		}
	}
}
