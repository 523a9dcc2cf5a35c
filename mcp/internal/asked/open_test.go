package asked

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func id(t *testing.T, n int) jsonrpc.ID {
	t.Helper()
	made, err := jsonrpc.MakeID(float64(n))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestOpen(t *testing.T) {
	t.Parallel()
	var o Open
	begin := func(n int, want error) {
		t.Helper()
		if err := o.Begin(id(t, n)); err != want {
			t.Errorf("request %d: got %v, want %v", n, err, want)
		}
	}
	for n := range Most {
		begin(n, nil)
	}
	begin(7, ErrTwice)
	begin(Most, ErrTooMany)
	o.Answer(id(t, Most))() // a refusal frees nothing
	begin(Most, ErrTooMany)
	written := o.Answer(id(t, 7))
	begin(7, ErrTooMany) // while it is written
	written()
	begin(7, nil)
	begin(8, ErrTwice)
	begin(Most, ErrTooMany)
}

// The id of an answer that is on its way is free: the server may have it already.
func TestAnIDIsFreeOnceItsAnswerIsWritten(t *testing.T) {
	t.Parallel()
	var o Open
	for range 3 {
		if err := o.Begin(id(t, 1)); err != nil {
			t.Fatal(err)
		}
		o.Answer(id(t, 1))
	}
}
