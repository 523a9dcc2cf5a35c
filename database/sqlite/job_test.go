package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"helve/database"
	"helve/message"
	"helve/tool"
)

// jobVariable makes the test binary do a job on a file instead of the tests: the
// other process of tests that need one.
const jobVariable = "HELVE_SQLITE_TEST_JOB"

// job is what a child process does.
type job struct {
	Do    string // "turns" or "share"
	Path  string
	First int // of the turns
	Who   int // of those who share, from 0
}

func (j job) command(t *testing.T) *exec.Cmd {
	t.Helper()
	spec, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), jobVariable+"="+string(spec))
	cmd.Stderr = os.Stderr
	return cmd
}

func runJob(spec string) {
	var j job
	err := json.Unmarshal([]byte(spec), &j)
	if err == nil {
		err = j.run(context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (j job) run(ctx context.Context) error {
	db, err := Open(ctx, j.Path)
	if err != nil {
		return err
	}
	defer db.Close()
	if j.Do == "share" {
		return share(ctx, db, j.Who)
	}
	for turn := j.First; ; turn++ {
		if err := takeTurn(ctx, db, turn); err != nil {
			return err
		}
	}
}

// takeTurn does one turn of a conversation, and says so on standard output after
// each step. It is told twice without harm, as after a crash.
func takeTurn(ctx context.Context, db *database.DB, turn int) error {
	s, err := db.Sessions().Open(ctx, "talk")
	if err != nil {
		return err
	}
	state := strconv.AppendInt(nil, int64(turn), 10)
	if err := s.Save(ctx, 2*turn, turnMessages(turn), state); err != nil {
		return err
	}
	fmt.Println("saved", turn)
	if err := db.Tools().Put(ctx, noteKey(turn), state, 0); err != nil {
		return err
	}
	fmt.Println("put", turn)
	old, _, err := db.Tools().Get(ctx, "last")
	if err != nil {
		return err
	}
	swapped, err := db.Tools().CompareAndSwap(ctx, "last", old, state, 0)
	if err != nil {
		return err
	}
	if !swapped {
		return fmt.Errorf("turn %d was not swapped, and nobody else is there", turn)
	}
	fmt.Println("swapped", turn)
	return nil
}

func turnMessages(turn int) []message.Message {
	return []message.Message{message.User(fmt.Sprint("question ", turn)), message.Assistant(message.Text(fmt.Sprint("answer ", turn)))}
}

func noteKey(turn int) string { return fmt.Sprintf("note/%06d", turn) }

// What each of those who share does.
const (
	sharers     = 3
	shareRounds = 40
)

// share writes messages and keys that are the writer's own, and counts in a key
// that belongs to all.
func share(ctx context.Context, db *database.DB, who int) error {
	s, err := db.Sessions().Open(ctx, "shared")
	if err != nil {
		return err
	}
	for i := range shareRounds {
		if err := s.Save(ctx, i*sharers+who, []message.Message{message.User(fmt.Sprint(who, " ", i))}, nil); err != nil {
			return err
		}
		if err := db.Tools().Put(ctx, fmt.Sprintf("%d/%03d", who, i), nil, 0); err != nil {
			return err
		}
		if err := increment(ctx, db.Tools(), "count"); err != nil {
			return err
		}
	}
	return nil
}

func increment(ctx context.Context, store tool.Store, key string) error {
	for {
		old, ok, err := store.Get(ctx, key)
		if err != nil {
			return err
		}
		n := 0
		if ok {
			if n, err = strconv.Atoi(string(old)); err != nil {
				return err
			}
		}
		swapped, err := store.CompareAndSwap(ctx, key, old, strconv.AppendInt(nil, int64(n+1), 10), 0)
		if swapped || err != nil {
			return err
		}
	}
}
