package tooltest_test

import (
	"context"
	"encoding/json"
	"testing"

	"helve/tool"
	"helve/tool/tooltest"
)

type place struct {
	Lat float64 `json:"lat" jsonschema:"minimum=-90,maximum=90"`
	Lon float64 `json:"lon"`
}

type forecastInput struct {
	Place place    `json:"place"`
	Days  int      `json:"days,omitempty" jsonschema:"default=3"`
	Kinds []string `json:"kinds,omitempty"`
	Extra any      `json:"extra,omitempty"`
}

func TestRun_TypedFunction(t *testing.T) {
	tooltest.Run(t, func(t *testing.T) tool.Tool {
		return tool.Must(tool.New("forecast", "Forecast the weather.",
			func(context.Context, forecastInput) (map[string]any, error) {
				return map[string]any{"sky": "blue"}, nil
			}))
	}, `{"place":{"lat":59.9,"lon":10.7}}`, `{"place":{"lat":0,"lon":0},"days":1,"kinds":["rain"],"extra":[1]}`)
}

func TestRun_FromSchema(t *testing.T) {
	tooltest.Run(t, func(t *testing.T) tool.Tool {
		return tool.Must(tool.FromSchema("sum", "Add numbers.", []byte(`{"type":"object","properties":{"numbers":{"type":"array","examples":[[1,2]]}},"required":["numbers"]}`),
			func(_ context.Context, args json.RawMessage) (any, error) { return args, nil }))
	})
}

// Run closes every tool that newTool made, the one of the rule "close" included,
// and none twice.
func TestRun_ClosesItsTools(t *testing.T) {
	opened, closed := 0, 0
	t.Run("kit", func(t *testing.T) {
		tooltest.Run(t, func(t *testing.T) tool.Tool {
			opened++
			return closing{sound(), func() error { closed++; return nil }}
		})
	})
	if opened == 0 || closed != opened {
		t.Errorf("%d tools were made and %d closed", opened, closed)
	}
}
