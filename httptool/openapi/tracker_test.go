package openapi

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// tracker is the server that testdata/tracker.yaml describes. It keeps what it is
// given and refuses what does not fit, so that a tool that sends anything else than
// the document says gets an error.
type tracker struct {
	mu       sync.Mutex
	next     int
	projects map[string]doc
	members  map[string]string // project/login → role
	labels   []doc
	stones   map[int]doc
	issues   map[int]doc
	comments map[int]doc
	hooks    map[int]doc
	users    map[string]doc
	settings doc
	history  map[int][]string
	asked    map[string]int // calls of each operation, by method and pattern
}

type doc = map[string]any

// refusal is what a handler answers in place of a result.
type refusal struct {
	status int
	why    string
}

func (r refusal) Error() string { return r.why }

func bad(format string, args ...any) error { return refusal{400, fmt.Sprintf(format, args...)} }

func newTracker(t *testing.T) (*tracker, *httptest.Server) {
	t.Helper()
	s := &tracker{
		next: 100, projects: map[string]doc{}, members: map[string]string{}, stones: map[int]doc{}, issues: map[int]doc{}, comments: map[int]doc{},
		hooks: map[int]doc{}, users: map[string]doc{"ada": {"login": "ada"}}, settings: doc{}, history: map[int][]string{}, asked: map[string]int{},
	}
	mux := http.NewServeMux()
	s.routes(mux)
	mux.HandleFunc("POST /oauth/token", func(w http.ResponseWriter, r *http.Request) {
		id, secret, _ := r.BasicAuth()
		if id != "the-client" || secret != "the-client-secret" || r.PostFormValue("scope") != "reports.read issues.read" {
			http.Error(w, `{"error":"invalid_client"}`, http.StatusUnauthorized)
			return
		}
		reply(w, 200, doc{"access_token": "token-of-the-service", "token_type": "Bearer", "expires_in": 600})
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return s, server
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if status != 204 {
		_ = json.NewEncoder(w).Encode(v)
	}
}

// handle serves one operation. Auth is the scheme that it wants.
func (s *tracker) handle(mux *http.ServeMux, pattern, auth string, status int, serve func(r *http.Request) (any, error)) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked[pattern]++
		if !authorized(r, auth) {
			reply(w, 401, doc{"error": "this wants " + auth})
			return
		}
		v, err := serve(r)
		if refused, ok := err.(refusal); ok {
			reply(w, refused.status, doc{"error": refused.why})
			return
		}
		if text, ok := v.(string); ok {
			w.Header().Set("Content-Type", "text/plain")
			io.WriteString(w, text)
			return
		}
		reply(w, status, v)
	})
}

func authorized(r *http.Request, scheme string) bool {
	user, password, basic := r.BasicAuth()
	switch scheme {
	case "none":
		return r.Header.Get("Authorization") == ""
	case "token":
		return r.Header.Get("Authorization") == "Bearer the-token"
	case "admin":
		return basic && user == "root" && password == "the-password"
	case "headerKey":
		return r.Header.Get("X-Quill-Key") == "the-header-key"
	case "queryKey":
		return r.URL.Query().Get("key") == "the-query-key"
	case "service":
		return r.Header.Get("Authorization") == "Bearer token-of-the-service"
	}
	return false
}

// input reads a JSON body with the given media type and exactly known keys.
func input(r *http.Request, mediaType string, required, optional string) (doc, error) {
	in := doc{}
	if err := body(r, mediaType, &in); err != nil {
		return nil, err
	}
	known := strings.Fields(required + " " + optional)
	for key := range in {
		if !slices.Contains(known, key) {
			return nil, bad("unknown key %s", key)
		}
	}
	for _, key := range strings.Fields(required) {
		if in[key] == nil {
			return nil, bad("%s is missing", key)
		}
	}
	return in, nil
}

func body(r *http.Request, mediaType string, into any) error {
	got, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if got != mediaType {
		return refusal{415, fmt.Sprintf("want %s, got %q", mediaType, got)}
	}
	d := json.NewDecoder(r.Body)
	if err := d.Decode(into); err != nil {
		return bad("%v", err)
	}
	return nil
}

// query allows only known keys in the query.
func query(r *http.Request, known string) (url.Values, error) {
	values := r.URL.Query()
	for key := range values {
		if !slices.Contains(strings.Fields(known), key) {
			return nil, bad("unknown key %s in the query", key)
		}
	}
	return values, nil
}

func (s *tracker) id() int { s.next++; return s.next }

func number(r *http.Request, name string) int {
	n, _ := strconv.Atoi(r.PathValue(name))
	return n
}

func find[K comparable](all map[K]doc, key K) (doc, error) {
	if d, ok := all[key]; ok {
		return d, nil
	}
	return nil, refusal{404, fmt.Sprintf("there is no %v", key)}
}

func list(items any) doc { return doc{"items": items} }

func oneOf(v any, allowed ...string) error {
	if s, ok := v.(string); v != nil && (!ok || !slices.Contains(allowed, s)) {
		return bad("%v is none of %v", v, allowed)
	}
	return nil
}

func day(s any) error {
	text, _ := s.(string)
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return bad("%v is no day", s)
	}
	return nil
}

func (s *tracker) routes(mux *http.ServeMux) {
	s.handle(mux, "GET /status", "none", 200, func(*http.Request) (any, error) { return doc{"up": true}, nil })
	s.projectRoutes(mux)
	s.issueRoutes(mux)
	s.commentRoutes(mux)
	s.peopleRoutes(mux)
	s.otherRoutes(mux)
}

var projectKey = regexp.MustCompile(`^[A-Z]{2,8}$`)

func (s *tracker) projectRoutes(mux *http.ServeMux) {
	s.handle(mux, "GET /projects", "token", 200, func(r *http.Request) (any, error) {
		q, err := query(r, "q page per_page sort")
		if err != nil || q.Get("page") != "1" || q.Get("per_page") == "" || q.Get("sort") == "" {
			return nil, bad("a default is missing: %v, %v", q, err)
		}
		found := []doc{}
		for _, p := range s.projects {
			if strings.Contains(p["name"].(string), q.Get("q")) {
				found = append(found, p)
			}
		}
		return list(found), nil
	})
	s.handle(mux, "POST /projects", "token", 201, func(r *http.Request) (any, error) {
		in, err := input(r, "application/json", "key name", "description visibility")
		if err != nil {
			return nil, err
		}
		if !projectKey.MatchString(in["key"].(string)) || in["visibility"] != "private" && in["visibility"] != "public" {
			return nil, bad("not a project: %v", in)
		}
		s.projects[in["key"].(string)] = in
		return in, nil
	})
	s.handle(mux, "GET /projects/{key}", "token", 200, func(r *http.Request) (any, error) { return find(s.projects, r.PathValue("key")) })
	s.handle(mux, "PATCH /projects/{key}", "token", 200, func(r *http.Request) (any, error) {
		p, err := find(s.projects, r.PathValue("key"))
		if err != nil {
			return nil, err
		}
		in, err := input(r, "application/merge-patch+json", "", "name description archived")
		if err != nil {
			return nil, err
		}
		for key, value := range in {
			if value == nil {
				delete(p, key)
			} else {
				p[key] = value
			}
		}
		return p, nil
	})
	s.handle(mux, "DELETE /projects/{key}", "token", 204, func(r *http.Request) (any, error) {
		_, err := find(s.projects, r.PathValue("key"))
		delete(s.projects, r.PathValue("key"))
		return nil, err
	})
	s.handle(mux, "GET /projects/{key}/members", "token", 200, func(r *http.Request) (any, error) { return list(s.members), nil })
	s.handle(mux, "PUT /projects/{key}/members/{login}", "token", 200, func(r *http.Request) (any, error) {
		in, err := input(r, "application/json", "role", "notify")
		if err != nil {
			return nil, err
		}
		if _, ok := in["notify"].(bool); !ok {
			return nil, bad("notify is %v", in["notify"])
		}
		s.members[r.PathValue("key")+"/"+r.PathValue("login")] = in["role"].(string)
		return in, oneOf(in["role"], "reader", "writer", "owner")
	})
	s.handle(mux, "DELETE /projects/{key}/members/{login}", "token", 204, func(r *http.Request) (any, error) {
		delete(s.members, r.PathValue("key")+"/"+r.PathValue("login"))
		return nil, nil
	})
	s.handle(mux, "GET /projects/{key}/labels", "token", 200, func(*http.Request) (any, error) { return list(s.labels), nil })
	s.handle(mux, "POST /projects/{key}/labels", "token", 201, func(r *http.Request) (any, error) {
		in, err := input(r, "application/json", "name color", "")
		s.labels = append(s.labels, in)
		return in, err
	})
	s.handle(mux, "DELETE /projects/{key}/labels/{name}", "token", 204, func(r *http.Request) (any, error) {
		before := len(s.labels)
		s.labels = slices.DeleteFunc(s.labels, func(l doc) bool { return l["name"] == r.PathValue("name") })
		if len(s.labels) == before {
			return nil, refusal{404, "there is no label " + r.PathValue("name")}
		}
		return nil, nil
	})
	s.handle(mux, "GET /projects/{key}/milestones", "token", 200, func(*http.Request) (any, error) { return list(s.stones), nil })
	s.handle(mux, "POST /projects/{key}/milestones", "token", 201, func(r *http.Request) (any, error) {
		in, err := input(r, "application/json", "title due", "")
		if err != nil {
			return nil, err
		}
		in["id"] = s.id()
		s.stones[in["id"].(int)] = in
		return in, day(in["due"])
	})
	s.handle(mux, "PATCH /milestones/{id}", "token", 200, func(r *http.Request) (any, error) {
		m, err := find(s.stones, number(r, "id"))
		if err != nil {
			return nil, err
		}
		in, err := input(r, "application/json", "", "title due progress")
		for key, value := range in {
			m[key] = value
		}
		return m, err
	})
}

func (s *tracker) issueRoutes(mux *http.ServeMux) {
	s.handle(mux, "GET /issues", "token", 200, func(r *http.Request) (any, error) {
		q, err := query(r, "filter[state] filter[assignee] label ids page per_page")
		if err != nil {
			return nil, err
		}
		found := []int{}
		for id, issue := range s.issues {
			labels, _ := issue["labels"].([]any)
			has := func(l string) bool { return slices.Contains(labels, any(l)) }
			if state := q.Get("filter[state]"); state != "" && issue["state"] != state {
				continue
			}
			if ids := q.Get("ids"); ids != "" && !slices.Contains(strings.Split(ids, ","), strconv.Itoa(id)) {
				continue
			}
			if !slices.ContainsFunc(q["label"], func(l string) bool { return !has(l) }) {
				found = append(found, id)
			}
		}
		slices.Sort(found)
		return doc{"items": found, "request": r.Header.Get("X-Request-ID")}, nil
	})
	s.handle(mux, "POST /issues", "token", 201, func(r *http.Request) (any, error) {
		in, err := input(r, "application/json", "title project", "text priority assignees estimate checklist fields")
		if err != nil {
			return nil, err
		}
		if err := oneOf(in["priority"], "low", "normal", "high"); err != nil {
			return nil, err
		}
		if e, ok := in["estimate"].(doc); in["estimate"] != nil && (!ok || len(e) != 1) {
			return nil, bad("estimate %v", in["estimate"])
		}
		return s.addIssue(in), nil
	})
	s.handle(mux, "GET /issues/{id}", "token", 200, func(r *http.Request) (any, error) { return find(s.issues, number(r, "id")) })
	s.handle(mux, "PATCH /issues/{id}", "token", 200, s.issue(func(r *http.Request, issue doc) error {
		in := doc{}
		if err := body(r, "application/json", &in); err != nil || len(in) == 0 {
			return bad("no change: %v", err)
		}
		for key, value := range in {
			issue[key] = value
		}
		return nil
	}))
	s.handle(mux, "DELETE /issues/{id}", "token", 204, func(r *http.Request) (any, error) {
		if r.Header.Get("If-Match") != `"v1"` {
			return nil, refusal{412, "If-Match is " + r.Header.Get("If-Match")}
		}
		delete(s.issues, number(r, "id"))
		return nil, nil
	})
	s.handle(mux, "POST /issues/{id}/close", "token", 200, s.issue(func(r *http.Request, issue doc) error {
		issue["state"], issue["reason"] = "closed", nil
		if r.ContentLength == 0 {
			return nil // the body may be left out
		}
		in, err := input(r, "application/json", "reason", "duplicate_of")
		issue["reason"] = in["reason"]
		return err
	}))
	s.handle(mux, "POST /issues/{id}/reopen", "token", 200, s.issue(func(r *http.Request, issue doc) error {
		if r.ContentLength != 0 {
			return bad("a body that nobody asked for")
		}
		issue["state"] = "open"
		return nil
	}))
	s.handle(mux, "PUT /issues/{id}/labels", "token", 200, s.issue(func(r *http.Request, issue doc) error {
		var labels []any
		err := body(r, "application/json", &labels)
		issue["labels"] = labels
		return err
	}))
	s.handle(mux, "GET /issues/{id}/history", "token", 200, func(r *http.Request) (any, error) { return list(s.history[number(r, "id")]), nil })
	s.handle(mux, "POST /issues/bulk", "token", 200, func(r *http.Request) (any, error) {
		in := doc{}
		if err := body(r, "application/json", &in); err != nil {
			return nil, err
		}
		for _, id := range in["ids"].([]any) {
			issue, err := find(s.issues, int(id.(float64)))
			if err != nil {
				return nil, err
			}
			if in["action"] == "label" {
				issue["labels"] = []any{in["label"]}
			} else {
				issue["state"] = "closed"
			}
		}
		return doc{"changed": len(in["ids"].([]any))}, nil
	})
	s.handle(mux, "POST /trees", "token", 201, func(r *http.Request) (any, error) {
		in, err := input(r, "application/json", "title", "children")
		return doc{"made": countTree(in)}, err
	})
}

func countTree(in doc) int {
	n := 1
	children, _ := in["children"].([]any)
	for _, c := range children {
		n += countTree(c.(doc))
	}
	return n
}

func (s *tracker) addIssue(in doc) doc {
	in["id"], in["state"] = s.id(), "open"
	s.issues[in["id"].(int)] = in
	return in
}

// issue serves an operation that changes one issue.
func (s *tracker) issue(change func(*http.Request, doc) error) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		issue, err := find(s.issues, number(r, "id"))
		if err != nil {
			return nil, err
		}
		s.history[number(r, "id")] = append(s.history[number(r, "id")], r.Method+" "+r.URL.Path)
		return issue, change(r, issue)
	}
}

func (s *tracker) commentRoutes(mux *http.ServeMux) {
	s.handle(mux, "GET /issues/{id}/comments", "token", 200, func(r *http.Request) (any, error) {
		q, err := query(r, "after limit")
		if err != nil {
			return nil, err
		}
		limit, _ := strconv.Atoi(q.Get("limit"))
		after, _ := strconv.Atoi(q.Get("after"))
		page := []doc{}
		for id := after + 1; id <= s.next && len(page) < limit; id++ {
			if c, ok := s.comments[id]; ok && c["issue"] == number(r, "id") {
				page = append(page, c)
			}
		}
		out := list(page)
		if len(page) == limit {
			out["next"] = fmt.Sprint(page[limit-1]["id"])
		}
		return out, nil
	})
	s.handle(mux, "POST /issues/{id}/comments", "token", 201, func(r *http.Request) (any, error) {
		text, err := io.ReadAll(r.Body)
		if err != nil || r.Header.Get("Content-Type") != "text/markdown" || len(text) == 0 {
			return nil, bad("%q %q", r.Header.Get("Content-Type"), text)
		}
		c := doc{"id": s.id(), "issue": number(r, "id"), "text": string(text)}
		s.comments[c["id"].(int)] = c
		return c, nil
	})
	s.handle(mux, "PUT /comments/{id}", "token", 200, func(r *http.Request) (any, error) {
		c, err := find(s.comments, number(r, "id"))
		if err != nil {
			return nil, err
		}
		in, err := input(r, "application/json", "id text", "")
		if err != nil || in["id"] != float64(number(r, "id")) {
			return nil, bad("the id of %v is not that of the path: %v", in, err)
		}
		c["text"] = in["text"]
		return c, nil
	})
	s.handle(mux, "DELETE /comments/{id}", "token", 204, func(r *http.Request) (any, error) {
		_, err := find(s.comments, number(r, "id"))
		delete(s.comments, number(r, "id"))
		return nil, err
	})
}

func (s *tracker) peopleRoutes(mux *http.ServeMux) {
	s.handle(mux, "GET /users", "queryKey", 200, func(r *http.Request) (any, error) {
		q, err := query(r, "key login[prefix]")
		found := []string{}
		for login := range s.users {
			if strings.HasPrefix(login, q.Get("login[prefix]")) {
				found = append(found, login)
			}
		}
		return list(found), err
	})
	s.handle(mux, "POST /users", "admin", 201, func(r *http.Request) (any, error) {
		if err := r.ParseForm(); err != nil || r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" {
			return nil, bad("no form: %v", err)
		}
		if _, err := mail.ParseAddress(r.PostForm.Get("email")); err != nil {
			return nil, bad("%v", err)
		}
		user := doc{"login": r.PostForm.Get("login"), "email": r.PostForm.Get("email"), "skills": r.PostForm["skills"]}
		s.users[user["login"].(string)] = user
		return user, nil
	})
	s.handle(mux, "GET /users/me", "headerKey", 200, func(*http.Request) (any, error) { return s.users["ada"], nil })
	s.handle(mux, "GET /users/{login}", "token", 200, func(r *http.Request) (any, error) { return find(s.users, r.PathValue("login")) })
	s.handle(mux, "GET /reports/burndown", "service", 200, func(r *http.Request) (any, error) {
		q, err := query(r, "project from to")
		if err == nil {
			err = day(q.Get("from"))
		}
		return doc{"project": q.Get("project"), "open": len(s.issues)}, err
	})
	s.handle(mux, "GET /reports/workload", "service", 200, func(*http.Request) (any, error) { return list([]doc{{"login": "ada", "open": len(s.issues)}}), nil })
}

func (s *tracker) otherRoutes(mux *http.ServeMux) {
	s.handle(mux, "GET /webhooks", "token", 200, func(*http.Request) (any, error) { return list(s.hooks), nil })
	s.handle(mux, "POST /webhooks", "token", 201, func(r *http.Request) (any, error) {
		if len(r.Header.Get("X-Idempotency-Key")) != 36 {
			return nil, bad("X-Idempotency-Key is %q", r.Header.Get("X-Idempotency-Key"))
		}
		in, err := input(r, "application/json", "url events", "")
		if err != nil {
			return nil, err
		}
		in["id"] = s.id()
		s.hooks[in["id"].(int)] = in
		return in, nil
	})
	s.handle(mux, "DELETE /webhooks/{id}", "token", 204, func(r *http.Request) (any, error) {
		_, err := find(s.hooks, number(r, "id"))
		delete(s.hooks, number(r, "id"))
		return nil, err
	})
	s.handle(mux, "PUT /settings", "token", 200, func(r *http.Request) (any, error) {
		err := body(r, "application/json", &s.settings)
		return s.settings, err
	})
	s.handle(mux, "GET /files/{path}", "token", 200, func(r *http.Request) (any, error) { return "the file " + r.PathValue("path"), nil })
}
