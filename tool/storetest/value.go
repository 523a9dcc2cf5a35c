package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"helve/tool"
)

func emptyStore(ctx context.Context, store tool.Store) error {
	return errors.Join(
		wantNone(ctx, store, "a"),
		wantKeys(ctx, store, ""),
		wantKeys(ctx, store, "a"),
		store.Delete(ctx, "a"),
	)
}

func keys(ctx context.Context, store tool.Store) error {
	for _, key := range []string{"a", "notes/ada 1", "ключ-中文", "🙂", "'; --", "%_*", ".", "\ufeff", "\U0010ffff", strings.Repeat("x", tool.MaxKeyBytes)} {
		if err := errors.Join(put(ctx, store, key, "of "+key, 0), want(ctx, store, key, "of "+key)); err != nil {
			return err
		}
	}
	for _, key := range []string{"", "a\x00", "a\nb", "a\x7f", "\u0085", "\xff", strings.Repeat("x", tool.MaxKeyBytes+1)} {
		_, _, getErr := store.Get(ctx, key)
		_, swapErr := store.CompareAndSwap(ctx, key, nil, []byte("x"), 0)
		_, listErr := store.List(ctx, key)
		if key == "" {
			listErr = tool.ErrKey // as a prefix it is allowed
		}
		if err := errors.Join(
			wantError(fmt.Sprintf("Get(%q)", key), getErr, tool.ErrKey),
			wantError(fmt.Sprintf("Put(%q)", key), store.Put(ctx, key, nil, 0), tool.ErrKey),
			wantError(fmt.Sprintf("Delete(%q)", key), store.Delete(ctx, key), tool.ErrKey),
			wantError(fmt.Sprintf("CompareAndSwap(%q)", key), swapErr, tool.ErrKey),
			wantError(fmt.Sprintf("List(%q)", key), listErr, tool.ErrKey),
		); err != nil {
			return err
		}
	}
	return nil
}

func apart(ctx context.Context, store tool.Store) error {
	// Keys that a store could take for one: by case, by spaces, by a pattern.
	names := []string{"a", "A", "a ", " a", "a%", "a_", "ä", "a\u0308"}
	for _, key := range names {
		if err := put(ctx, store, key, "of "+key, 0); err != nil {
			return err
		}
	}
	if err := store.Delete(ctx, "a"); err != nil {
		return err
	}
	for _, key := range names[1:] {
		if err := want(ctx, store, key, "of "+key); err != nil {
			return err
		}
	}
	return wantNone(ctx, store, "a")
}

func values(ctx context.Context, store tool.Store) error {
	for _, value := range []string{"text", "", "\x00", "\x00\xff\xfe'\"\\x41", "null", "中文 🙂", strings.Repeat("\x00", tool.MaxValueBytes)} {
		if err := errors.Join(put(ctx, store, "a", value, 0), want(ctx, store, "a", value)); err != nil {
			return err
		}
	}
	if err := store.Put(ctx, "nil", nil, 0); err != nil {
		return err
	}
	return want(ctx, store, "nil", "")
}

// limits checks that what is refused changes nothing.
func limits(ctx context.Context, store tool.Store) error {
	if err := put(ctx, store, "a", "old", 0); err != nil {
		return err
	}
	long := make([]byte, tool.MaxValueBytes+1)
	_, longErr := store.CompareAndSwap(ctx, "a", []byte("old"), long, 0)
	_, ttlErr := store.CompareAndSwap(ctx, "a", []byte("old"), []byte("new"), -1)
	return errors.Join(
		wantError("Put of a long value", store.Put(ctx, "a", long, 0), tool.ErrValue),
		wantError("Put with a ttl below 0", store.Put(ctx, "a", []byte("new"), -1), tool.ErrTTL),
		wantError("CompareAndSwap for a long value", longErr, tool.ErrValue),
		wantError("CompareAndSwap with a ttl below 0", ttlErr, tool.ErrTTL),
		wantSwap(ctx, store, "a", long, []byte("new"), 0, false), // it can't be there
		want(ctx, store, "a", "old"),
	)
}

func lastPut(ctx context.Context, store tool.Store) error {
	return errors.Join(
		put(ctx, store, "a", "1", 0),
		put(ctx, store, "b", "1", 0),
		put(ctx, store, "a", "2", 0),
		want(ctx, store, "a", "2"),
		want(ctx, store, "b", "1"),
		wantKeys(ctx, store, "", "a", "b"),
	)
}

func remove(ctx context.Context, store tool.Store) error {
	return errors.Join(
		put(ctx, store, "a", "1", 0),
		put(ctx, store, "b", "1", 0),
		store.Delete(ctx, "a"),
		store.Delete(ctx, "a"),
		wantNone(ctx, store, "a"),
		wantKeys(ctx, store, "", "b"),
		put(ctx, store, "a", "2", 0),
		want(ctx, store, "a", "2"),
	)
}

func list(ctx context.Context, store tool.Store) error {
	for _, key := range []string{"user/b", "user/a", "use", "user0", "user.", "User/a", "us%r/x", "搜索/1", "搜索", "搝", "\U0010ffff/a", "\U0010ffff", "\ud7ff", "\ue000", "é", "~"} {
		if err := put(ctx, store, key, "", 0); err != nil {
			return err
		}
	}
	return errors.Join(
		wantKeys(ctx, store, "", "User/a", "us%r/x", "use", "user.", "user/a", "user/b", "user0", "~", "é", "搜索", "搜索/1", "搝", "\ud7ff", "\ue000", "\U0010ffff", "\U0010ffff/a"),
		wantKeys(ctx, store, "user/", "user/a", "user/b"),
		wantKeys(ctx, store, "us%", "us%r/x"),
		wantKeys(ctx, store, "use_"),
		wantKeys(ctx, store, "搜索", "搜索", "搜索/1"),
		wantKeys(ctx, store, "\ud7ff", "\ud7ff"),
		wantKeys(ctx, store, "\U0010ffff", "\U0010ffff", "\U0010ffff/a"),
		wantKeys(ctx, store, "nobody"),
	)
}

func swap(ctx context.Context, store tool.Store) error {
	v1, v2, none := []byte("1"), []byte("2"), []byte{}
	return errors.Join(
		wantSwap(ctx, store, "a", v1, v2, 0, false), // nothing there
		wantSwap(ctx, store, "a", none, v2, 0, false),
		wantSwap(ctx, store, "a", v1, nil, 0, false),
		wantSwap(ctx, store, "a", nil, nil, 0, true), // nothing there, and so it stays
		wantNone(ctx, store, "a"),
		wantSwap(ctx, store, "a", nil, v1, 0, true),
		want(ctx, store, "a", "1"),
		wantSwap(ctx, store, "a", nil, v2, 0, false), // now there is
		wantSwap(ctx, store, "a", nil, nil, 0, false),
		wantSwap(ctx, store, "a", v2, v2, 0, false),
		want(ctx, store, "a", "1"),
		wantSwap(ctx, store, "a", v1, v1, 0, true),
		wantSwap(ctx, store, "a", v1, v2, 0, true),
		want(ctx, store, "a", "2"),
		wantSwap(ctx, store, "a", v2, none, 0, true),
		want(ctx, store, "a", ""),
		wantSwap(ctx, store, "a", nil, v1, 0, false), // empty is not absent
		wantSwap(ctx, store, "a", none, v1, 0, true),
		wantSwap(ctx, store, "a", v1, nil, 0, true),
		wantNone(ctx, store, "a"),
		wantKeys(ctx, store, ""),
	)
}

// border checks that a store shares no memory with its callers.
func border(ctx context.Context, store tool.Store) error {
	mine := []byte("value")
	if err := store.Put(ctx, "put", mine, 0); err != nil {
		return err
	}
	if err := wantSwap(ctx, store, "swapped", nil, mine, 0, true); err != nil {
		return err
	}
	mine[0] = 'X'
	for _, key := range []string{"put", "swapped"} {
		if err := want(ctx, store, key, "value"); err != nil {
			return fmt.Errorf("after a change of what was put: %w", err)
		}
		got, _, err := store.Get(ctx, key)
		if err != nil {
			return err
		}
		got[0] = 'X'
		if err := want(ctx, store, key, "value"); err != nil {
			return fmt.Errorf("after a change of what was got: %w", err)
		}
	}
	return nil
}

func canceled(ctx context.Context, store tool.Store) error {
	if err := put(ctx, store, "a", "1", 0); err != nil {
		return err
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	_, _, getErr := store.Get(done, "a")
	_, listErr := store.List(done, "")
	_, swapErr := store.CompareAndSwap(done, "a", []byte("1"), []byte("2"), 0)
	return errors.Join(
		wantError("Get", getErr, context.Canceled),
		wantError("Put", store.Put(done, "a", []byte("2"), 0), context.Canceled),
		wantError("Delete", store.Delete(done, "a"), context.Canceled),
		wantError("List", listErr, context.Canceled),
		wantError("CompareAndSwap", swapErr, context.Canceled),
		want(ctx, store, "a", "1"),
	)
}
