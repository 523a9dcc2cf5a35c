package serve

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestKeptLasts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newKept()
		uri := k.put(resultAddress, keptItem{text: "long"})
		time.Sleep(keptFor - time.Second)
		if i, ok := k.get(uri); !ok || i.text != "long" {
			t.Error("it is gone too soon")
		}
		time.Sleep(time.Second)
		if _, ok := k.get(uri); ok || k.bytes != 0 {
			t.Error("it lasts too long")
		}
		old := k.put(resultAddress, keptItem{text: "old"})
		time.Sleep(keptFor + time.Second)
		k.put(resultAddress, keptItem{text: "new"})
		if _, ok := k.byURI[old]; ok || k.bytes != 3 {
			t.Errorf("what has expired takes room: %d bytes", k.bytes)
		}
	})
}

func TestKeptIsBounded(t *testing.T) {
	t.Parallel()
	k := newKept()
	quarter := strings.Repeat("x", mostKept/4)
	var uris []string
	for range 4 {
		uris = append(uris, k.put(resultAddress, keptItem{text: quarter}))
	}
	k.get(uris[0]) // used, so that the second goes first
	uris = append(uris, k.put(artifactAddress, keptItem{data: []byte("x")}))
	for i, want := range []bool{true, false, true, true, true} {
		if _, ok := k.get(uris[i]); ok != want {
			t.Errorf("%d: %v", i, ok)
		}
	}
	if k.put(resultAddress, keptItem{text: quarter + quarter + quarter + quarter + "x"}) != "" {
		t.Error("more than all is kept")
	}
	if k.bytes > mostKept {
		t.Errorf("%d bytes", k.bytes)
	}
}
