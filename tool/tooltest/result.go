package tooltest

import (
	"bytes"
	"fmt"

	"helve/message"
)

// checkResults makes a call twice and spoils the second result. The first must
// not see any of it: a host that cuts or redacts one result would change others.
func checkResults(s *subject) error {
	for _, args := range s.examples {
		first, before, err := s.succeed(args)
		if err != nil {
			return err
		}
		second, _, err := s.succeed(args)
		if err != nil {
			return err
		}
		spoil(second.Content)
		after, err := message.MarshalParts(first.Content)
		if err != nil || !bytes.Equal(before, after) {
			return fmt.Errorf("two results of the call %s share memory: a change of one changes the other", args)
		}
	}
	return nil
}

// spoil overwrites all of the content that can be overwritten.
func spoil(content []message.Part) {
	for i, p := range content {
		switch p := p.(type) {
		case message.Image:
			overwrite(p.Data)
		case message.Audio:
			overwrite(p.Data)
		case message.File:
			overwrite(p.Data)
		case message.Resource:
			overwrite(p.Data)
		}
		content[i] = message.Text("spoiled by tooltest")
	}
}

func overwrite(data []byte) {
	for i := range data {
		data[i] = '#'
	}
}
