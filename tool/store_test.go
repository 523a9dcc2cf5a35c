package tool_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"helve/tool"
)

func TestMemoryStore(t *testing.T) {
	t.Parallel()
	ctx, store := t.Context(), tool.NewMemoryStore()

	if v, ok, err := store.Get(ctx, "a"); v != nil || ok || err != nil {
		t.Errorf("Get of nothing = %q, %t, %v", v, ok, err)
	}
	if err := store.Delete(ctx, "a"); err != nil {
		t.Errorf("Delete of nothing: %v", err)
	}
	for _, key := range []string{"user/b", "user/a", "use", "", "搜索/1"} {
		if err := store.Put(ctx, key, []byte("value of "+key)); err != nil {
			t.Fatal(err)
		}
	}
	for prefix, want := range map[string][]string{
		"":       {"", "use", "user/a", "user/b", "搜索/1"},
		"user/":  {"user/a", "user/b"},
		"搜索":     {"搜索/1"},
		"nobody": {},
	} {
		got, err := store.List(ctx, prefix)
		if diff := cmp.Diff(want, append([]string{}, got...)); diff != "" || err != nil {
			t.Errorf("List(%q): %v (-want +got):\n%s", prefix, err, diff)
		}
	}
	if err := store.Delete(ctx, "user/a"); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := store.Get(ctx, "user/a"); ok {
		t.Error("Delete left the value there")
	}
	if err := store.Put(ctx, "empty", nil); err != nil {
		t.Fatal(err)
	}
	if v, ok, err := store.Get(ctx, "empty"); len(v) != 0 || !ok || err != nil {
		t.Errorf("Get of an empty value = %q, %t, %v", v, ok, err)
	}
}

func TestMemoryStore_KeepsNobodysBytes(t *testing.T) {
	t.Parallel()
	ctx, store := t.Context(), tool.NewMemoryStore()
	mine := []byte("value")
	if err := store.Put(ctx, "k", mine); err != nil {
		t.Fatal(err)
	}
	mine[0] = 'X'
	got, _, _ := store.Get(ctx, "k")
	if string(got) != "value" {
		t.Errorf("the store kept the caller's bytes: %q", got)
	}
	got[0] = 'X'
	if again, _, _ := store.Get(ctx, "k"); string(again) != "value" {
		t.Errorf("the store handed out its own bytes: %q", again)
	}
}

func TestMemoryStore_ConcurrentUse(t *testing.T) {
	t.Parallel()
	ctx, store := t.Context(), tool.NewMemoryStore()
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Go(func() {
			key := fmt.Sprintf("k%02d", i)
			if err := store.Put(ctx, key, []byte(key)); err != nil {
				t.Error(err)
			}
			if v, ok, err := store.Get(ctx, key); string(v) != key || !ok || err != nil {
				t.Errorf("Get(%s) = %q, %t, %v", key, v, ok, err)
			}
			if _, err := store.List(ctx, "k"); err != nil {
				t.Error(err)
			}
			if i%2 == 0 {
				if err := store.Delete(ctx, key); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if keys, _ := store.List(ctx, ""); len(keys) != 8 {
		t.Errorf("%d keys are left, want 8: %v", len(keys), keys)
	}
}
