package jsonobject

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzRead: what is read and written again is the same, with its keys in their order.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{}`, `{"b":1,"a":[{"c":null}],"b":2}`, `{"é<&":"x"}`, `[]`, `{"a"`, `null`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return
		}
		all, err := Read(raw)
		if (err == nil) != IsObject(raw) {
			t.Fatalf("%q: %v", raw, err)
		}
		if err != nil {
			return
		}
		written := Write(all)
		again, err := Read(written)
		if err != nil || len(again) != len(all) {
			t.Fatalf("%q: %v", written, err)
		}
		for i := range all {
			if again[i].Key != all[i].Key || !bytes.Equal(again[i].Value, all[i].Value) {
				t.Errorf("%q became %q", raw, written)
			}
		}
	})
}
