package seccomp

import (
	"slices"
	"testing"
)

func TestEncode(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{}, {Memory: true}, {Reduced: true}} {
		program := Filter(o)
		if got := Decode(Encode(program)); !slices.Equal(got, program) {
			t.Errorf("%+v: it is not what it was", o)
		}
	}
	if Decode([]byte("seven..")) != nil || len(Decode(nil)) != 0 {
		t.Error("what is no program became one")
	}
}
