package skill

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// entry is a file, or something else, of an archive.
type entry struct {
	name, text string
	kind       byte // of tar; 0 is a file
	link       string
	mode       fs.FileMode
}

func tarGz(t testing.TB, entries []entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Typeflag: e.kind, Linkname: e.link, Mode: int64(e.mode | 0o644), Size: int64(len(e.text))}
		if e.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			h = &tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "x"}}
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t testing.TB, entries []entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.mode | 0o644)
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// listing lists what is below a folder, with contents.
func listing(t testing.TB, dir string) []string {
	t.Helper()
	all := []string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		info, _ := e.Info()
		rel, _ := filepath.Rel(dir, name)
		all = append(all, fmt.Sprintf("%s %v %d", rel, info.Mode(), len(data)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var greeting = []entry{
	{name: "greet/SKILL.md", text: skillMD("greet", "")},
	{name: "greet/scripts/", kind: tar.TypeDir, mode: fs.ModeDir},
	{name: "greet/scripts/a.sh", text: "echo", mode: 0o755},
	{name: "greet/.DS_Store", text: "x"}, {name: "__MACOSX/greet/._SKILL.md", text: "x"},
}

func TestImport(t *testing.T) {
	t.Parallel()
	flat := []entry{{name: "./SKILL.md", text: skillMD("greet", "")}, {name: "./scripts/a.sh", text: "echo", mode: 0o755}}
	for name, data := range map[string][]byte{
		"greet.zip": zipOf(t, greeting), "GREET.SKILL": zipOf(t, greeting), "flat.tgz": tarGz(t, append([]entry{{name: "./", kind: tar.TypeDir}}, flat...)),
		"greet.tar.gz": tarGz(t, append([]entry{{kind: tar.TypeXGlobalHeader}}, greeting...)), "folder": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, folder := filepath.Join(t.TempDir(), name), filepath.Join(t.TempDir(), "skills")
			if data == nil {
				writeFile(t, filepath.Join(from, "SKILL.md"), skillMD("greet", ""), 0o600)
				writeFile(t, filepath.Join(from, "scripts", "a.sh"), "echo", 0o755)
				writeFile(t, filepath.Join(from, ".git", "config"), "x", 0o600)
			} else {
				writeFile(t, from, string(data), 0o600)
			}
			s, problems, err := Import(from, folder, false)
			if err != nil || len(problems) > 0 || s.Name != "greet" || s.Dir != filepath.Join(folder, "greet") {
				t.Fatalf("%+v, %v, %v", s, problems, err)
			}
			want := []string{"greet/SKILL.md -rw-r--r-- 53", "greet/scripts/a.sh -rwxr-xr-x 4"}
			if diff := cmp.Diff(want, listing(t, folder)); diff != "" {
				t.Error(diff)
			}
			if info, err := os.Stat(s.Dir); err != nil || info.Mode().Perm()&0o055 != 0o055 {
				t.Error(info.Mode(), err)
			}
		})
	}
}

// Probe 69, and what else no honest archive holds.
func TestImport_Refused(t *testing.T) {
	t.Parallel()
	main := entry{name: "SKILL.md", text: skillMD("greet", "")}
	many := []entry{main}
	for i := range maxFiles {
		many = append(many, entry{name: fmt.Sprint(i)})
	}
	folders := []entry{main}
	for i := range maxEntries {
		folders = append(folders, entry{name: fmt.Sprintf("d%d/", i), kind: tar.TypeDir, mode: fs.ModeDir})
	}
	big := func(n int) string { return strings.Repeat("0", n) }
	tests := map[string]struct {
		entries []entry
		want    string
	}{
		"slip":                  {[]entry{main, {name: "../evil", text: "x"}}, `"../evil" leads elsewhere`},
		"slip inside":           {[]entry{main, {name: "a/../../evil", text: "x"}}, "leads elsewhere"},
		"absolute":              {[]entry{main, {name: "/evil", text: "x"}}, "leads elsewhere"},
		"backslash":             {[]entry{main, {name: `..\evil`, text: "x"}}, "leads elsewhere"},
		"drive":                 {[]entry{main, {name: `C:evil`, text: "x"}}, "leads elsewhere"},
		"hidden slip":           {[]entry{main, {name: ".git/../../evil", text: "x"}}, "leads elsewhere"},
		"twice":                 {[]entry{main, {name: "a"}, {name: "a"}}, `"a" is there twice`},
		"letter case":           {[]entry{main, {name: "A"}, {name: "a"}}, "is there twice"},
		"file as a folder":      {[]entry{main, {name: "a"}, {name: "a/b"}}, `"a/b": `},
		"deep":                  {[]entry{main, {name: "a/b/c/d/e/f/g/h/i/j"}}, "too long or too deep"},
		"long name":             {[]entry{main, {name: strings.Repeat("a/", 3) + strings.Repeat("b", maxPath)}}, "too long or too deep"},
		"many files":            {many, "it has more than 1000 files"},
		"many folders":          {folders, "it has more than 2000 entries"},
		"a bomb by its ratio":   {[]entry{main, {name: "a", text: big(2 << 20)}}, "it unpacks to more than 200 times its size"},
		"no skill":              {[]entry{{name: "README.md", text: "x"}}, "there is no SKILL.md in it, nor in its only folder"},
		"two folders":           {[]entry{{name: "a/SKILL.md", text: main.text}, {name: "b/SKILL.md", text: main.text}}, "there is no SKILL.md in it"},
		"a skill that is none":  {[]entry{{name: "SKILL.md", text: "x"}}, "it begins with no frontmatter"},
		"a name that is none":   {[]entry{{name: "SKILL.md", text: "---\nname: ..\ndescription: x\n---\n"}}, "can't be in a name"},
		"no name":               {[]entry{{name: "SKILL.md", text: "---\ndescription: x\n---\n"}}, "the skill has no name that can be used"},
		"empty":                 {nil, "there is no SKILL.md"},
		"zip: link":             {[]entry{main, {name: "l", text: "/etc/passwd", mode: fs.ModeSymlink}}, "links and devices are refused"},
		"zip: device":           {[]entry{main, {name: "l", mode: fs.ModeDevice}}, "links and devices are refused"},
		"tar: link":             {[]entry{main, {name: "l", kind: tar.TypeSymlink, link: "/etc/passwd"}}, "links and devices are refused"},
		"tar: link, hidden":     {[]entry{main, {name: ".l", kind: tar.TypeSymlink, link: "/etc/passwd"}}, "links and devices are refused"},
		"tar: hard link":        {[]entry{main, {name: "l", kind: tar.TypeLink, link: "SKILL.md"}}, "links and devices are refused"},
		"tar: character device": {[]entry{main, {name: "l", kind: tar.TypeChar}}, "links and devices are refused"},
		"tar: block device":     {[]entry{main, {name: "l", kind: tar.TypeBlock}}, "links and devices are refused"},
		"tar: pipe":             {[]entry{main, {name: "l", kind: tar.TypeFifo}}, "links and devices are refused"},
	}
	for name, test := range tests {
		for _, format := range []string{"zip", "tar"} {
			if only, _, one := strings.Cut(name, ": "); one && only != format {
				continue
			}
			t.Run(name+", "+format, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				from, folder := filepath.Join(dir, "greet.zip"), filepath.Join(dir, "in", "skills")
				data := []byte(nil)
				if format == "zip" {
					data = zipOf(t, test.entries)
				} else {
					from, data = filepath.Join(dir, "greet.tgz"), tarGz(t, test.entries)
				}
				writeFile(t, from, string(data), 0o600)
				_, _, err := Import(from, folder, false)
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("got %v, want %s", err, test.want)
				}
				if left := listing(t, dir); len(left) != 1 {
					t.Errorf("left behind: %q", left)
				}
			})
		}
	}
}

func TestImport_RefusedFolders(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(name string) error{
		"link":   func(name string) error { return os.Symlink("/etc/passwd", name) },
		"pipe":   func(name string) error { return syscall.Mkfifo(name, 0o600) },
		"sparse": func(name string) error { return errors.Join(os.WriteFile(name, nil, 0o600), os.Truncate(name, 1<<40)) },
	} {
		from, folder := folderOf(t, map[string]string{"SKILL.md": skillMD("greet", "")}), t.TempDir()
		if err := put(filepath.Join(from, "x")); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Import(from, folder, false); err == nil || len(listing(t, folder)) > 0 {
			t.Errorf("%s: %v, %q", name, err, listing(t, folder))
		} else if name == "sparse" && !strings.Contains(err.Error(), "it holds more than 32 MiB") {
			t.Error(err)
		}
	}
	for from, want := range map[string]string{"none": "it is not there", "import_test.go": "this is no archive of a skill"} {
		if _, _, err := Import(from, t.TempDir(), false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", from, err)
		}
	}
	long := filepath.Join(t.TempDir(), "a.tgz")
	writeFile(t, long, "", 0o600)
	if err := os.Truncate(long, maxArchive+1); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Import(long, t.TempDir(), false); err == nil || !strings.Contains(err.Error(), "the archive is 16777217 bytes long") {
		t.Error(err)
	}
	notZip := filepath.Join(t.TempDir(), "a.zip")
	writeFile(t, notZip, "text", 0o600)
	if _, _, err := Import(notZip, t.TempDir(), false); err == nil || !strings.Contains(err.Error(), "this is no zip archive") {
		t.Error(err)
	}
}

func TestImport_NothingIsReplacedUnasked(t *testing.T) {
	t.Parallel()
	folder := folderOf(t, map[string]string{"greet/SKILL.md": skillMD("greet", "license: old\n"), "greet/old.txt": "x"})
	from := folderOf(t, map[string]string{"SKILL.md": skillMD("greet", "license: new\n")})
	before := listing(t, folder)
	if _, _, err := Import(from, folder, false); !errors.Is(err, ErrExists) {
		t.Error(err)
	}
	if diff := cmp.Diff(before, listing(t, folder)); diff != "" {
		t.Error(diff)
	}
	s, _, err := Import(from, folder, true)
	if err != nil || s.License != "new" {
		t.Fatal(s, err)
	}
	if left := listing(t, folder); len(left) != 1 {
		t.Errorf("%q", left)
	}
}

// Whatever an archive holds, nothing outside of the folder changes, and in it there is a
// whole skill or nothing.
func FuzzImport(f *testing.F) {
	f.Add(zipOf(f, greeting), true)
	f.Add(tarGz(f, greeting), false)
	for _, e := range []entry{{name: "../evil"}, {name: "/tmp/evil"}, {name: "l", kind: tar.TypeSymlink, link: "..", mode: fs.ModeSymlink}} {
		f.Add(zipOf(f, append(slices.Clone(greeting), e)), true)
		f.Add(tarGz(f, append(slices.Clone(greeting), e)), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, isZip bool) {
		dir := t.TempDir()
		from := filepath.Join(dir, "from.tgz")
		if isZip {
			from = filepath.Join(dir, "from.zip")
		}
		writeFile(t, from, string(data), 0o600)
		folder := filepath.Join(dir, "in", "skills")
		s, _, err := Import(from, folder, false)
		entries, readErr := os.ReadDir(dir)
		if readErr != nil || len(entries) != 2 { // from and in
			t.Fatalf("%v, %v", entries, readErr)
		}
		inside, readErr := os.ReadDir(folder)
		if readErr != nil || err != nil && len(inside) != 0 || err == nil && (len(inside) != 1 || inside[0].Name() != s.Name) {
			t.Fatalf("%v: %v, %v", err, inside, readErr)
		}
		if err != nil {
			return
		}
		for _, file := range s.Files {
			if info, err := os.Lstat(filepath.Join(s.Dir, file.Path)); err != nil || !info.Mode().IsRegular() {
				t.Fatalf("%s: %v, %v", file.Path, info, err)
			}
		}
	})
}
