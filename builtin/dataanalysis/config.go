package dataanalysis

import (
	"errors"
	"fmt"
	"os"
	"time"

	"helve/tool"
)

// Config says what the tools may read and write, and how much. A bound that is
// 0 is the default.
type Config struct {
	Data   *os.Root // files are read from here; needed. It stays open and belongs to the caller.
	Output *os.Root // workbooks and pictures are written here; nil: nothing is written. It belongs to the caller too.

	MaxRows  int           // rows that a model is shown of one result; 200
	MaxBytes int64         // bytes of one file that is read, of the tables kept between calls, and of the temporary files of one query; 1 GiB
	Timeout  time.Duration // of one call; 30 s
}

const (
	defaultRows    = 200
	defaultBytes   = 1 << 30
	defaultTimeout = 30 * time.Second
)

func (c Config) withDefaults() (Config, error) {
	if c.Data == nil {
		return c, errors.New("dataanalysis: Config.Data is nil: open the folder of the data with os.OpenRoot")
	}
	if c.MaxRows < 0 || c.MaxBytes < 0 || c.Timeout < 0 {
		return c, fmt.Errorf("dataanalysis: a bound below 0: MaxRows %d, MaxBytes %d, Timeout %v", c.MaxRows, c.MaxBytes, c.Timeout)
	}
	if c.MaxRows == 0 {
		c.MaxRows = defaultRows
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = defaultBytes
	}
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	return c, nil
}

// constructors make the tools, in the order of their names. One that returns no
// tool has nothing to work with, such as a writer without an output folder.
var constructors = []func(*data) (tool.Tool, error){
	excelTool,
	plotTool,
	sqlTool,
}

// Tools returns the tools that c makes possible, in the order of their names.
// The error is for a Config without Data or with a bound below 0.
func Tools(c Config) ([]tool.Tool, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	d := newData(c)
	var tools []tool.Tool
	for _, construct := range constructors {
		t, err := construct(d)
		if err != nil {
			return nil, fmt.Errorf("dataanalysis: %w", err)
		}
		if t != nil {
			tools = append(tools, t)
		}
	}
	return tools, nil
}
