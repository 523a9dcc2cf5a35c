package dataanalysis

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
)

// fonts finds the fonts that have a picture's characters.
//
// Liberation Sans comes with the plot library. It has Latin, Greek and Cyrillic,
// and nothing of Chinese, Japanese and Korean: a font with those is several
// megabytes. So where a text needs more, the machine's own fonts are looked at,
// once. Where none has it, the picture holds boxes and the answer says so.
type fonts struct {
	own     *font.Cache
	folders []string

	once   sync.Once
	system []*opentype.Font
}

const (
	maxFontFile  = 40 << 20
	maxFontFiles = 20_000 // entries looked at in the font folders
)

var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

func newFonts(folders []string) *fonts {
	return &fonts{own: font.NewCache(liberation.Collection()), folders: folders}
}

// forText returns what writes texts. missing are the characters that no font has.
func (f *fonts) forText(texts []string) (h *handwriting, missing string) {
	h = &handwriting{own: text.Plain{Fonts: f.own}}
	missing = h.lacks(texts)
	if missing == "" {
		return h, ""
	}
	f.once.Do(f.load)
	for _, face := range f.system {
		with := &handwriting{h.own, append(slices.Clone(h.others), face)}
		if m := with.lacks(texts); len(m) < len(missing) {
			h, missing = with, m
		}
	}
	return h, missing
}

// lacks returns the characters of texts that no font has, each once.
func (h *handwriting) lacks(texts []string) string {
	var missing []rune
	for _, r := range strings.Join(texts, "") {
		if r > ' ' && !slices.Contains(missing, r) && h.fontOf(r) == none {
			missing = append(missing, r)
		}
	}
	return string(missing)
}

// systemFontFolders are where machines keep their fonts.
func systemFontFolders() []string {
	home, _ := os.UserHomeDir()
	switch runtime.GOOS {
	case "windows":
		return []string{filepath.Join(os.Getenv("SystemRoot"), "Fonts")}
	case "darwin":
		return []string{filepath.Join(home, "Library/Fonts"), "/Library/Fonts", "/System/Library/Fonts"}
	}
	return []string{filepath.Join(home, ".local/share/fonts"), filepath.Join(home, ".fonts"), "/usr/local/share/fonts", "/usr/share/fonts"}
}

// wide are beginnings of the file names of fonts that have Chinese, Japanese and
// Korean, in the order in which they are tried. Reading each font of a machine to
// see what it has would take seconds.
var wide = []string{
	"notosanscjk-regular", "notosanscjksc-regular", "notosanssc-regular", "notosanssc", "sourcehansans", "wqy-microhei",
	"wqy-zenhei", "droidsansfallback", "pingfang", "hiragino sans gb", "stheiti", "msyh", "simhei", "deng", "arial unicode", "unifont",
}

// load reads at most two of the machine's fonts. What can't be read is passed
// over: a picture with boxes and a note is better than none.
func (f *fonts) load() {
	var found [][2]string // where in wide, the path
	looked := 0
	for _, folder := range f.folders {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if looked++; looked > maxFontFiles {
				return filepath.SkipAll
			}
			if err != nil || !d.Type().IsRegular() {
				return nil
			}
			name := strings.ToLower(d.Name())
			i := slices.IndexFunc(wide, func(w string) bool { return strings.HasPrefix(name, w) })
			if i >= 0 && slices.Contains([]string{".ttf", ".otf", ".ttc", ".otc"}, filepath.Ext(name)) {
				found = append(found, [2]string{string(rune('a' + i)), path})
			}
			return nil
		})
	}
	slices.SortFunc(found, func(a, b [2]string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) })
	for _, file := range found {
		if face := readFont(file[1]); face != nil {
			f.system = append(f.system, face)
		}
		if len(f.system) == 2 {
			return
		}
	}
}

func readFont(path string) *opentype.Font {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFontFile+1))
	if err != nil || len(data) > maxFontFile {
		return nil
	}
	collection, err := opentype.ParseCollection(data) // of one, if it is a single font
	if err != nil || collection.NumFonts() == 0 {
		return nil
	}
	face, err := collection.Font(0)
	if err != nil {
		return nil
	}
	return face
}
