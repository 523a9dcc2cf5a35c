package badserver

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
)

// schemas is document 004's list of tools.
func (s *Server) schemas(w http.ResponseWriter, r *http.Request) {
	var list []map[string]raw
	for _, definition := range s.all() {
		var d map[string]raw
		if err := json.Unmarshal(definition, &d); err != nil {
			panic(err)
		}
		list = append(list, map[string]raw{"name": d["name"], "description": d["description"], "parameters": d["inputSchema"]})
	}
	data := encode(map[string]any{"tools": list})
	tag := fmt.Sprintf(`"%x"`, sha256.Sum256(data))
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	s.writeJSON(w, r, data)
}

// execute is document 004's call of a tool.
func (s *Server) execute(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Tool      string
		Arguments raw
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	session := s.newSession(func(raw) {}, abort)
	params := encode(map[string]any{"name": request.Tool, "arguments": request.Arguments})
	session.call(r.Context(), message{ID: raw("1"), Params: params}, func(raw) {}, func(result, failure raw) {
		s.writeJSON(w, r, plainAnswer(result, failure))
	})
}

// plainAnswer is {"result": …} or {"error": …} for what MCP would answer.
func plainAnswer(result, failure raw) raw {
	if failure != nil {
		var e struct{ Message string }
		_ = json.Unmarshal(failure, &e)
		return encode(map[string]any{"error": e.Message})
	}
	var r struct {
		IsError    bool
		Content    []struct{ Text string }
		Structured raw `json:"structuredContent"`
	}
	_ = json.Unmarshal(result, &r)
	switch {
	case r.IsError:
		return encode(map[string]any{"error": r.Content[0].Text})
	case r.Structured != nil:
		return encode(map[string]any{"result": r.Structured})
	case len(r.Content) > 0:
		return encode(map[string]any{"result": r.Content[0].Text})
	}
	return encode(map[string]any{"result": nil})
}
