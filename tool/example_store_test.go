package tool_test

import (
	"context"
	"fmt"
	"time"

	"helve/tool"
)

// How does a tool keep an answer for an hour?
func ExampleStore() {
	ctx := context.Background()
	store := tool.NewMemoryStore() // in a tool: tool.RuntimeFrom(ctx).Store

	lookUp := func(city string) (string, error) {
		answer, ok, err := store.Get(ctx, "weather/"+city)
		if err != nil {
			return "", err
		}
		if ok {
			return string(answer) + " (kept)", nil
		}
		answer = []byte("21 °C in " + city) // … asks a slow service …
		return string(answer), store.Put(ctx, "weather/"+city, answer, time.Hour)
	}
	fmt.Println(lookUp("Oslo"))
	fmt.Println(lookUp("Oslo"))
	// Output:
	// 21 °C in Oslo <nil>
	// 21 °C in Oslo (kept) <nil>
}

// How does a tool make sure that of many calls, in many processes, one alone
// does the work? It takes a lease, which ends by itself if the process dies.
func ExampleStore_compareAndSwap() {
	ctx := context.Background()
	store := tool.NewMemoryStore()

	for _, worker := range []string{"ada", "bob"} {
		mine, err := store.CompareAndSwap(ctx, "lease/report", nil, []byte(worker), time.Minute)
		fmt.Println(worker, mine, err)
	}
	// Who gives it back removes it only if it is still his.
	mine, err := store.CompareAndSwap(ctx, "lease/report", []byte("ada"), nil, 0)
	fmt.Println("ada gave it back:", mine, err)
	// Output:
	// ada true <nil>
	// bob false <nil>
	// ada gave it back: true <nil>
}
