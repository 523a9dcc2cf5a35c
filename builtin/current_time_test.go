package builtin

import (
	"strings"
	"testing"
	"time"

	"helve/tool"
)

func TestCurrentTime(t *testing.T) {
	t.Parallel()
	clock := func() time.Time { return time.Date(2026, 11, 20, 15, 25, 18, 99, time.UTC) }
	tests := []struct{ arguments, want string }{
		{`{}`, `{"time":"2026-11-20T15:25:18Z","timezone":"UTC","weekday":"Friday"}`},
		{`{"timezone":"UTC"}`, `{"time":"2026-11-20T15:25:18Z","timezone":"UTC","weekday":"Friday"}`},
		{`{"timezone":"Asia/Shanghai"}`, `{"time":"2026-11-20T23:25:18+08:00","timezone":"Asia/Shanghai","weekday":"Friday"}`},
		{`{"timezone":"Pacific/Auckland"}`, `{"time":"2026-11-21T04:25:18+13:00","timezone":"Pacific/Auckland","weekday":"Saturday"}`},
		{`{"timezone":"Asia/Kathmandu"}`, `{"time":"2026-11-20T21:10:18+05:45","timezone":"Asia/Kathmandu","weekday":"Friday"}`},
		{`{"timezone":"Etc/GMT+8"}`, `{"time":"2026-11-20T07:25:18-08:00","timezone":"Etc/GMT+8","weekday":"Friday"}`},
	}
	for _, test := range tests {
		t.Run(test.arguments, func(t *testing.T) {
			t.Parallel()
			result, err := CurrentTime(clock).Call(t.Context(), tool.Call{Name: "current_time", Arguments: []byte(test.arguments)})
			if err != nil {
				t.Fatal(err)
			}
			if result.Text() != test.want {
				t.Errorf("got %s, want %s", result.Text(), test.want)
			}
		})
	}
}

func TestCurrentTimeUsesTheRealClock(t *testing.T) {
	t.Parallel()
	before := time.Now().Truncate(time.Second)
	result, err := CurrentTime(nil).Call(t.Context(), tool.Call{Name: "current_time", Arguments: []byte(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(result.Text(), `"time":"`)
	text, _, _ := strings.Cut(rest, `"`)
	got, err := time.Parse(time.RFC3339, text)
	if err != nil || got.Before(before) || got.After(time.Now()) {
		t.Errorf("got %s, want a time from %s until now", result.Text(), before)
	}
}

func TestUnknownZone(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, want string }{
		{"Shanghai", "the nearest IANA names are Asia/Shanghai"},
		{"China/shanghai", "the nearest IANA names are Asia/Shanghai"},
		{"Asia/Shangai", "Asia/Shanghai"},
		{"asia/shanghai ", "Asia/Shanghai"},
		{"new york", "America/New_York"},
		{"Europ/Berlin", "Europe/Berlin"},
		{"Local", "use an IANA name"},
		{"Mars/Olympus_Mons_and_the_plain", "use an IANA name"},
		{"../../etc/passwd", "use an IANA name"},
		{strings.Repeat("x", 10_000), "use an IANA name"},
	}
	for _, test := range tests {
		t.Run(test.name[:min(len(test.name), 20)], func(t *testing.T) {
			t.Parallel()
			location, err := zone(test.name)
			if err == nil {
				t.Fatalf("got %s, want an error", location)
			}
			if !strings.Contains(err.Error(), test.want) || len(err.Error()) > 250 {
				t.Errorf("got error %q, want a short one that holds %q", err, test.want)
			}
		})
	}
}

func TestEveryListedZoneLoads(t *testing.T) {
	t.Parallel()
	names := strings.Fields(zones)
	if len(names) < 400 {
		t.Fatalf("only %d zones", len(names))
	}
	for _, name := range names {
		if _, err := zone(name); err != nil {
			t.Error(err)
		}
	}
}
