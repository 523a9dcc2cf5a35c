package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"helve/database/sqlite"
	"helve/message"
)

// How does a conversation outlive the process?
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "helve-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "state", "helve.db")

	for _, text := range []string{"Remember the number 7.", "Which number was it?"} { // two processes, one after the other
		if err := say(ctx, path, text); err != nil {
			fmt.Println(err)
			return
		}
	}
	// Output:
	// 1 message:
	//   Remember the number 7.
	// 2 messages:
	//   Remember the number 7.
	//   Which number was it?
}

func say(ctx context.Context, path, text string) error {
	db, err := sqlite.Open(ctx, path)
	if err != nil {
		return err
	}
	defer db.Close()
	s, err := db.Sessions().Open(ctx, "user-42")
	if err != nil {
		return err
	}
	history, _, err := s.Load(ctx)
	if err != nil {
		return err
	}
	if err := s.Save(ctx, len(history), []message.Message{message.User(text)}, nil); err != nil {
		return err
	}
	history, _, err = s.Load(ctx)
	if err != nil {
		return err
	}
	plural := "s"
	if len(history) == 1 {
		plural = ""
	}
	fmt.Printf("%d message%s:\n", len(history), plural)
	for _, m := range history {
		fmt.Println(" ", m.Text())
	}
	return nil
}

// How do tools share what they know?
func ExampleOpen() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "helve-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	db, err := sqlite.Open(ctx, filepath.Join(dir, "helve.db"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()

	store := db.Tools() // goes into agent.Config.Store
	if err := store.Put(ctx, "weather/Oslo", []byte("21 °C"), time.Hour); err != nil {
		fmt.Println(err)
		return
	}
	keys, err := store.List(ctx, "weather/")
	fmt.Println(keys, err)

	_, err = sqlite.Open(ctx, dir)
	fmt.Println(err != nil) // the error says: it is a folder, or no ordinary file: name a file in a folder
	// Output:
	// [weather/Oslo] <nil>
	// true
}
