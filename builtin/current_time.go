package builtin

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // for machines without zone files

	"helve/internal/nearest"
	"helve/tool"
)

type currentTimeInput struct {
	Timezone string `json:"timezone,omitempty" jsonschema:"default=UTC,example=Asia/Shanghai" jsonschema_description:"An IANA time zone, such as Asia/Shanghai, Europe/Berlin or America/New_York."`
}

type currentTimeOutput struct {
	Time     string `json:"time"` // RFC 3339
	Timezone string `json:"timezone"`
	Weekday  string `json:"weekday"`
}

// CurrentTime returns the tool current_time: the time now in a time zone, UTC if
// the model names none. The result is a JSON object:
//
//	{"time":"2026-11-20T23:25:18+08:00","timezone":"Asia/Shanghai","weekday":"Friday"}
//
// An unknown zone is an error that names the nearest ones. now is the clock; nil
// means [time.Now]. It must be safe for concurrent use.
func CurrentTime(now func() time.Time) tool.Tool {
	if now == nil {
		now = time.Now
	}
	return tool.Must(tool.New("current_time",
		"Tell the current date, time and weekday in a time zone.",
		func(_ context.Context, in currentTimeInput) (currentTimeOutput, error) {
			location, err := zone(in.Timezone)
			if err != nil {
				return currentTimeOutput{}, err
			}
			t := now().In(location)
			return currentTimeOutput{t.Format(time.RFC3339), location.String(), t.Weekday().String()}, nil
		}, tool.Idempotent())) // not ReadOnly: a cached time would be wrong
}

func zone(name string) (*time.Location, error) {
	if name == "" {
		return time.UTC, nil
	}
	// "Local" is no IANA name, and where the host is, is not the model's business.
	if name != "Local" {
		if location, err := time.LoadLocation(name); err == nil {
			return location, nil
		}
	}
	if near := nearestZones(name); len(near) > 0 {
		return nil, fmt.Errorf("unknown time zone %.64q: the nearest IANA names are %s", name, strings.Join(near, ", "))
	}
	return nil, fmt.Errorf("unknown time zone %.64q: use an IANA name such as Asia/Shanghai, Europe/Berlin or UTC", name)
}

// zones are the IANA names by area and city, one a line, sorted. They serve for
// suggestions alone; time.LoadLocation knows more, such as EST and Etc/GMT+8.
//
//go:embed zones.txt
var zones string

// nearestZones looks for a city first, as "Shanghai" and "China/Shanghai" are
// likelier than a slip of the hand in the whole name.
func nearestZones(name string) []string {
	const most = 3
	name = strings.ReplaceAll(strings.TrimSpace(name), " ", "_")
	names := strings.Fields(zones)
	var near []string
	for _, n := range names {
		if strings.EqualFold(city(n), city(name)) {
			near = append(near, n)
		}
	}
	for _, n := range nearest.Names(name, names, most) {
		if !slices.Contains(near, n) {
			near = append(near, n)
		}
	}
	return near[:min(len(near), most)]
}

func city(zone string) string { return zone[strings.LastIndexByte(zone, '/')+1:] }
