package database

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"helve/message"
	"helve/session"
)

// sessions is the session.Store in a DB.
type sessions struct{ db *DB }

func (s sessions) Open(ctx context.Context, id string) (session.Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := session.CheckID(id); err != nil {
		return nil, err
	}
	return conversation{s.db, id}, nil
}

const listSessions = `
SELECT id, saved, state IS NOT NULL,
	(SELECT COALESCE(MAX(place) + 1, 0) FROM helve_messages WHERE session = id)
FROM helve_sessions ORDER BY id`

func (s sessions) List(ctx context.Context) ([]session.Info, error) {
	var list []session.Info
	err := s.db.repeat(ctx, func() (err error) {
		list, err = s.list(ctx)
		return err
	})
	return list, s.db.fail(ctx, err, "list sessions")
}

func (s sessions) list(ctx context.Context) ([]session.Info, error) {
	rows, err := s.db.read.QueryContext(ctx, listSessions)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []session.Info
	for rows.Next() {
		var info session.Info
		var saved int64
		if err := rows.Scan(&info.ID, &saved, &info.Open, &info.Messages); err != nil {
			return nil, err
		}
		info.Saved = time.UnixMicro(saved)
		list = append(list, info)
	}
	return list, rows.Err()
}

func (s sessions) Delete(ctx context.Context, id string) error {
	if err := session.CheckID(id); err != nil {
		return err
	}
	err := s.db.update(ctx, func(conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, `DELETE FROM helve_sessions WHERE id = $1`, id) // its messages go with it
		return err
	})
	return s.db.fail(ctx, err, "delete session %q", id)
}

// conversation is a name, not a row: the row may be deleted and made anew while
// the session is open.
type conversation struct {
	db *DB
	id string
}

// A single statement sees whole saves alone. The state stands before the
// messages, at the place where no message can be.
const loadSession = `
SELECT -1, state FROM helve_sessions WHERE id = $1
UNION ALL SELECT place, body FROM helve_messages WHERE session = $1
ORDER BY 1`

func (c conversation) Load(ctx context.Context) (messages []message.Message, state json.RawMessage, err error) {
	err = c.db.repeat(ctx, func() (err error) {
		messages, state, err = c.load(ctx)
		return err
	})
	return messages, state, c.db.fail(ctx, err, "load session %q", c.id)
}

func (c conversation) load(ctx context.Context) (messages []message.Message, state json.RawMessage, err error) {
	rows, err := c.db.read.QueryContext(ctx, loadSession, c.id)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var place int
		var body sql.RawBytes
		if err := rows.Scan(&place, &body); err != nil {
			return nil, nil, err
		}
		if place < 0 {
			state = bytes.Clone(body)
			continue
		}
		if place >= session.MaxMessages {
			return nil, nil, fmt.Errorf("a message is at place %d, and places are below %d", place, session.MaxMessages)
		}
		for len(messages) <= place {
			messages = append(messages, message.Message{})
		}
		if err := json.Unmarshal(body, &messages[place]); err != nil {
			return nil, nil, fmt.Errorf("the message at place %d can't be read: %w", place, err)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, nil, err
	}
	return messages, state, nil
}

// The row of the session is written first: it makes other saves of the same
// session wait.
const (
	touchSession = `
INSERT INTO helve_sessions (id, saved) VALUES ($1, $2)
ON CONFLICT (id) DO UPDATE SET saved = excluded.saved`
	setSession = `
INSERT INTO helve_sessions (id, saved, state) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET saved = excluded.saved, state = excluded.state`
	putMessage = `
INSERT INTO helve_messages (session, place, body) VALUES ($1, $2, $3)
ON CONFLICT (session, place) DO NOTHING`
)

func (c conversation) Save(ctx context.Context, at int, messages []message.Message, state json.RawMessage) error {
	if err := session.CheckSave(at, messages, state); err != nil {
		return err
	}
	err := c.save(ctx, at, messages, state)
	return c.db.fail(ctx, err, "save session %q", c.id)
}

func (c conversation) save(ctx context.Context, at int, messages []message.Message, state json.RawMessage) error {
	bodies, err := encode(at, messages)
	if err != nil {
		return err
	}
	touch, args := touchSession, []any{c.id, time.Now().UnixMicro()}
	if state != nil {
		touch, args = setSession, append(args, stored(state))
	}
	return c.db.update(ctx, func(conn *sql.Conn) error {
		if _, err := conn.ExecContext(ctx, touch, args...); err != nil {
			return err
		}
		for i, body := range bodies {
			if body == nil {
				continue // a hole
			}
			if _, err := conn.ExecContext(ctx, putMessage, c.id, at+i, body); err != nil {
				return err
			}
		}
		return nil
	})
}

// stored returns the state as the database holds it: JSON null is NULL.
func stored(state json.RawMessage) []byte {
	if string(bytes.TrimSpace(state)) == "null" {
		return nil
	}
	return state
}

// encode returns the JSON of each message, and nil for a hole. It reads the JSON
// back: a message that can be saved but not loaded would shut up its session for
// ever.
func encode(at int, messages []message.Message) ([][]byte, error) {
	bodies := make([][]byte, len(messages))
	for i, m := range messages {
		if m.IsZero() {
			continue
		}
		body, err := json.Marshal(m)
		if err == nil {
			err = json.Unmarshal(body, new(message.Message))
		}
		if err != nil {
			return nil, fmt.Errorf("the message at place %d can't be stored: %w", at+i, err)
		}
		bodies[i] = body
	}
	return bodies, nil
}
