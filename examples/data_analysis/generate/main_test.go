package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

// The committed files are what this program makes.
func TestTheDataIsGenerated(t *testing.T) {
	made := t.TempDir()
	if err := run([]string{made}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir("../data")
	if err != nil {
		t.Fatal(err)
	}
	files, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(files) {
		t.Errorf("the folder has %d files, the program makes %d", len(entries), len(files))
	}
	for name := range files {
		want, got := read(t, filepath.Join(made, name)), read(t, filepath.Join("../data", name))
		if filepath.Ext(name) == ".xlsx" { // another release of the library packs the same cells otherwise
			if diff := cmp.Diff(cells(t, want), cells(t, got)); diff != "" {
				t.Errorf("%s is not what the program makes (-want +got)\n%s", name, diff)
			}
			continue
		}
		if !bytes.Equal(want, got) {
			t.Errorf("%s is not what the program makes: run go generate", name)
		}
	}
}

func TestUsage(t *testing.T) {
	if err := run(nil); err == nil {
		t.Error("no error without a folder")
	}
	if err := run([]string{filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("no error for a folder that is not there")
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func cells(t *testing.T, workbook []byte) map[string][][]string {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(workbook))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := map[string][][]string{}
	for _, sheet := range f.GetSheetList() {
		if all[sheet], err = f.GetRows(sheet); err != nil {
			t.Fatal(err)
		}
	}
	return all
}
