package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"helve/catalog"
)

// described is what a file came to, as text.
func described(c Config) string {
	reveal := func(m map[string]Secret) string {
		var all []string
		for _, name := range slices.Sorted(maps.Keys(m)) {
			all = append(all, name+"="+m[name].Reveal())
		}
		return strings.Join(all, ",")
	}
	var parts []string
	add := func(name, value string) {
		if value != "" && value != "[]" && value != "0s" {
			parts = append(parts, name+" "+value)
		}
	}
	add("name", c.Name)
	add("type", string(c.Type))
	add("command", c.Command)
	add("args", fmt.Sprint(c.Args))
	add("env", reveal(c.Env))
	add("dir", c.Dir)
	add("url", c.URL)
	add("key", c.APIKey.Reveal())
	add("headers", reveal(c.Headers))
	add("timeout", c.Timeout.String())
	add("allow", fmt.Sprint(c.Allow))
	add("deny", fmt.Sprint(c.Deny))
	if c.OAuth != nil {
		add("oauth", fmt.Sprintf("%s %s %v %d", c.OAuth.ClientID, c.OAuth.ClientSecret.Reveal(), c.OAuth.Scopes, c.OAuth.CallbackPort))
	}
	if c.Disabled {
		parts = append(parts, "disabled")
	}
	return strings.Join(parts, "; ")
}

// readFiles reads the servers of a workspace and says what is wrong with them.
func readFiles(t *testing.T, archive string, env map[string]string) (servers []string, faults string) {
	t.Helper()
	w := newWorkspace(t, archive)
	w.env = env
	s := w.source()
	s.options.Offline = true
	c := w.load(t, s)
	for _, one := range s.List() {
		servers = append(servers, strings.ReplaceAll(described(one.lease.Config), w.dir, "WS"))
	}
	return servers, problems(c)
}

var environment = map[string]string{"KEY": "sesame-open", "HOME": "/home/me", "EMPTY": "", "GITHUB_TOKEN": "gh-1234", "API_KEY_2": "k2"}

// TestFilesOfOtherPrograms reads what they write, as they write it.
func TestFilesOfOtherPrograms(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ file, want, faults string }{
		"a command": {
			`{"mcpServers": {"fs": {"type": "stdio", "command": "npx", "args": ["-y", "server", "${workspaceFolder}/data"], "env": {"A": "${KEY}", "N": 1, "NOT": null}, "cwd": "sub", "alwaysAllow": ["x"]}}}`,
			"name fs; type stdio; command npx; args [-y server WS/data]; env A=sesame-open,N=1; dir WS/sub", "",
		},
		"a URL": {
			`{"mcpServers": {"web": {"type": "streamable-http", "url": "https://example.com/mcp?k=${env:KEY}", "headers": {"X-Key": "${NONE:-none}"}, "timeout": 60}}}`,
			"name web; type http; url https://example.com/mcp?k=sesame-open; headers X-Key=none; timeout 1m0s", "",
		},
		"milliseconds": {
			`{"mcpServers": {"web": {"serverUrl": "https://example.com/sse", "timeout": 60000, "disabled": true}}}`,
			"name web; url https://example.com/sse; timeout 1m0s; disabled", "",
		},
		"an editor's, with comments and inputs": {
			`{
				// what VS Code keeps
				"inputs": [
					{"type": "promptString", "id": "github-token", "password": true},
					{"type": "promptString", "id": "region", "default": "eu"}, /* more */
				],
				"servers": {"gh": {"url": "https://example.com/${input:region}", "headers": {"Authorization": "Bearer ${input:github-token}"}, "oauth": {"clientId": "me", "callbackPort": 3118, "scopes": "a b"}}},
			}`,
			"name gh; url https://example.com/eu; headers Authorization=Bearer gh-1234; oauth me  [a b] 3118", "",
		},
		"an input of two words": {
			`{"servers": {"a": {"command": "a", "args": ["${input:apiKey-2}", "$HOME", "$$"]}}}`,
			"name a; command a; args [k2 $HOME $$]; dir WS", "",
		},
		"a transport within": {
			`{"mcpServers": {"t": {"transport": {"type": "sse", "url": "https://example.com/sse", "headers": {"A": "b"}}}}}`,
			"name t; type sse; url https://example.com/sse; headers A=b", "",
		},
		"chosen tools": {
			`{"mcpServers": {"t": {"command": "a", "tools": ["read_*"], "excludeTools": ["read_all"], "enabled": false}}}`,
			"name t; command a; dir WS; allow [read_*]; deny [read_all]; disabled", "",
		},
		"keys of others": {
			"{\n \"theme\": 1,\n \"mcpServers\": {\"t\": {\"command\": \"a\",\n  \"gallery\": true}}}",
			"name t; command a; dir WS",
			"warning: mcp.json:2:2: the key \"theme\" means nothing to helve\n" +
				"warning: mcp.json:4:3: mcp server t: the key \"gallery\" means nothing to helve: helve's own keys are for a file in tools/mcp, see \"helve schema mcp\"",
		},
		"keys with mistakes": {
			"{\n \"mcpservers\": {},\n \"mcpServers\": {\"t\": {\"comand\": \"a\",\n  \"url\": \"https://example.com\", \"allow\": [],\n  \"oauth\": {\"clientID\": \"me\"}}}}",
			"name t; url https://example.com; oauth   [] 0",
			"warning: mcp.json:2:2: the key \"mcpservers\" means nothing to helve: did you mean mcpServers?\n" +
				"warning: mcp.json:3:23: mcp server t: the key \"comand\" means nothing to helve: did you mean command?\n" +
				"warning: mcp.json:4:33: mcp server t: the key \"allow\" means nothing to helve: did you mean tools?\n" +
				"warning: mcp.json:5:13: mcp server t: the key \"clientID\" of oauth means nothing to helve: did you mean clientId?",
		},
		"helve's own keys": {
			`{"mcpServers": {"t": {"mcp_server_url": "https://example.com", "command": "a", "idle_timeout": "3s"}}}`,
			"name t; command a; dir WS",
			"warning: mcp.json:1:23: mcp server t: the key \"mcp_server_url\" means nothing to helve: did you mean url?\n" +
				"warning: mcp.json:1:80: mcp server t: the key \"idle_timeout\" means nothing to helve: helve's own keys are for a file in tools/mcp, see \"helve schema mcp\"",
		},
		"every name of HTTP": {
			`{"mcpServers": {"a": {"type": "streamableHttp", "url": "https://a.example"}, "b": {"type": "streamable_http", "url": "https://b.example"}, "c": {"type": "HTTP", "url": "https://c.example"}}}`,
			"name a; type http; url https://a.example | name b; type http; url https://b.example",
			"mcp.json:1:154: mcp server c: \"HTTP\" is not known: did you mean http?",
		},
		"one bad, one good": {
			"{\"mcpServers\": {\n \"bad\": {\"command\": \"a\",\n  \"args\": [\"${NONE}\", \"${EMPTY}\"]},\n \"good\": {\"command\": \"b\"}}}",
			"name good; command b; dir WS",
			"mcp.json:3:12: mcp server bad: the environment variable NONE is not set: set it, or give a default: ${NONE:-…}\n" +
				"mcp.json:3:23: mcp server bad: the environment variable EMPTY is not set: set it, or give a default: ${EMPTY:-…}",
		},
		"twice": {
			"{\"mcpServers\": {\"t\": {\"command\": \"a\"},\n \"t\": {\"command\": \"b\"}}}",
			"name t; command a; dir WS",
			"warning: mcp.json:2:2: the server t is in this file already, which counts: rename one of them, or take one out",
		},
		"a password that nobody set": {
			`{"servers": {"a": {"command": "a", "env": {"T": "${input:my-secret}"}}}}`, "",
			"mcp.json:1:49: mcp server a: an editor would ask for the input \"my-secret\", and helve does not: set the environment variable MY_SECRET",
		},
		"what no variable is": {
			`{"servers": {"a": {"command": "a", "args": ["${command:pick}", "${}", "${KEY"]}}}`, "",
			"mcp.json:1:45: mcp server a: ${command:pick} is no variable: write ${NAME}, ${NAME:-default}, ${env:NAME}, ${input:id} or ${workspaceFolder}\n" +
				"mcp.json:1:64: mcp server a: ${} is no variable: write ${NAME}, ${NAME:-default}, ${env:NAME}, ${input:id} or ${workspaceFolder}\n" +
				"mcp.json:1:71: mcp server a: a ${ is not closed: write ${NAME}",
		},
		"values of the wrong kind": {
			`{"servers": {"a": {"command": ["a"], "timeout": "soon", "env": []}, "b": 7, "c": {"url": "ftp://example.com"}, "d": {}, "e": {"command": "a", "type": "htpp"}}}`, "",
			"mcp.json:1:31: mcp server a: want text, not an array\n" +
				"mcp.json:1:49: mcp server a: want a time of at most 24 hours: write seconds, or milliseconds from 1000 on\n" +
				"mcp.json:1:64: mcp server a: want an object, not an array\n" +
				"mcp.json:1:74: mcp server b: want an object, not a number\n" +
				"mcp.json:1:90: mcp server c: this is not the URL of a server: write it in full, such as https://example.com/mcp\n" +
				"mcp.json:1:112: mcp server d: nothing says how the server is reached: write command for a program, or url for a server on the network\n" +
				"mcp.json:1:151: mcp server e: \"htpp\" is not known: did you mean http?",
		},
		"not JSON":    {"{\"mcpServers\": {\n", "", "mcp.json:1:16: this is not JSON: this bracket is not closed"},
		"no object":   {`[]`, "", "mcp.json:1:1: want an object, not an array: write {\"mcpServers\": {…}}"},
		"no servers":  {`{}`, "", "warning: mcp.json:1:1: no servers are in this file: write {\"mcpServers\": {…}}"},
		"empty":       {``, "", "mcp.json:1:1: this is not JSON: the file ends where a value is due"},
		"a huge time": {`{"mcpServers": {"a": {"command": "a", "timeout": 1e300}}}`, "", "mcp.json:1:50: mcp server a: want a time of at most 24 hours: write seconds, or milliseconds from 1000 on"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, faults := readFiles(t, "-- mcp.json --\n"+test.file+"\n", environment)
			if test.file == "" {
				got, faults = readFiles(t, "-- mcp.json --\n", environment)
			}
			if strings.Join(got, " | ") != test.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, " | "), test.want)
			}
			if faults != test.faults {
				t.Errorf("faults\n%s\nwant\n%s", faults, test.faults)
			}
		})
	}
}

func TestEnvFile(t *testing.T) {
	t.Parallel()
	got, faults := readFiles(t, `
-- mcp.json --
{"servers": {
  "a": {"command": "a", "envFile": "${workspaceFolder}/.env", "env": {"B": "mine"}},
  "b": {"command": "a", "envFile": "none.env"},
  "c": {"command": "a", "envFile": "bad.env"}}}
-- .env --
# comment
A=plain # more
export B=theirs

C="two\nlines \"quoted\"" # more
D='as $it \n is'
E=
-- bad.env --
A=1
SECRET VALUE
`, environment)
	want := "name a; command a; env A=plain,B=mine,C=two\nlines \"quoted\",D=as $it \\n is,E=; dir WS"
	if strings.Join(got, " | ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " | "), want)
	}
	want = "mcp.json:3:36: mcp server b: envFile: no such file or directory\nmcp.json:4:36: mcp server c: envFile: line 2 is not NAME=value"
	if faults != want {
		t.Errorf("got  %s\nwant %s", faults, want)
	}
}

// TestDoc004_MCPKeys reads helve's own form.
func TestDoc004_MCPKeys(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ file, want, faults string }{
		"document 004's keys": {
			"mcp_server_url: http://localhost:8000/mcp\nmcp_api_key: ${KEY}\ntimeout: 30s\n",
			"name s; url http://localhost:8000/mcp; key sesame-open; timeout 30s", "",
		},
		"all of a program's": {
			"name: files\ncommand: ./server\nargs: [-v]\nenv: {A: '${KEY}'}\ndir: sub\nallow: [read_*]\ndeny: [x]\nprotocol: 2025-11-25\n",
			"name files; command ./server; args [-v]; env A=sesame-open; dir WS/sub; allow [read_*]; deny [x]", "",
		},
		"OAuth": {
			"mcp_server_url: https://example.com\noauth:\n  client_id: me\n  client_secret: ${KEY}\n  scopes: [a]\n  grant: client_credentials\n",
			"name s; url https://example.com; oauth me sesame-open [a] 0", "",
		},
		"an unknown key": {"comand: a\n", "", "tools/mcp/s.yaml:1:1: unknown key \"comand\": did you mean command?"},
		"another program's keys": {
			"url: https://example.com\ncwd: x\nserverUrl: https://example.com\n", "",
			"tools/mcp/s.yaml:1:1: unknown key \"url\": did you mean mcp_server_url?\n" +
				"tools/mcp/s.yaml:2:1: unknown key \"cwd\": did you mean dir?\n" +
				"tools/mcp/s.yaml:3:1: unknown key \"serverUrl\": did you mean mcp_server_url?",
		},
		"another program's type": {
			"mcp_server_url: https://example.com\ntype: streamable-http\n", "",
			"tools/mcp/s.yaml:2:7: \"streamable-http\" is not known: did you mean http?",
		},
		"no variable": {"command: a\nargs: ['${NONE}']\n", "", "tools/mcp/s.yaml:2:8: the environment variable NONE is not set: set it, or give a default: ${NONE:-…}"},
		"neither":     {"timeout: 3s\n", "", "tools/mcp/s.yaml:1:1: nothing says how the server is reached: write command for a program, or mcp_server_url for a server on the network"},
		"both": {
			"command: a\nmcp_server_url: https://example.com\n", "",
			"tools/mcp/s.yaml:2:17: a server is a command or has a URL, not both: take one of them out",
		},
		"a line as a command": {"command: npx -y server\n", "", "tools/mcp/s.yaml:1:10: the command has blanks in it: write the program alone, and what follows it in args"},
		"much that is wrong": {
			"command: a\ntype: http\nprotocol: 2025-11-52\nmcp_api_key: k\nallow: ['[']\nelicitation: never\n", "",
			"tools/mcp/s.yaml:2:7: a command is a server of the type stdio: leave type out\n" +
				"tools/mcp/s.yaml:3:11: \"2025-11-52\" is not known: did you mean 2025-11-25?\n" +
				"tools/mcp/s.yaml:4:14: a program gets no headers: give the program what it needs in env\n" +
				"tools/mcp/s.yaml:5:9: \"[\" is no pattern: name tools, with * for any letters\n" +
				"tools/mcp/s.yaml:6:14: \"never\" is not known: write ask, decline",
		},
		"much that is wrong, on the network": {
			"mcp_server_url: https://exa mple.com\nargs: [a]\napi_key_header: 'a b'\nheaders: {A: \"b\\nc\"}\noauth: {grant: client_credentials, callback_port: 70000}\n", "",
			"tools/mcp/s.yaml:1:17: this is not the URL of a server: write it in full, such as https://example.com/mcp\n" +
				"tools/mcp/s.yaml:2:7: this is for a program, and the server has a URL: take it out\n" +
				"tools/mcp/s.yaml:3:17: there is no key for this header: write mcp_api_key too\n" +
				"tools/mcp/s.yaml:3:17: \"a b\" is no name of a header\n" +
				"tools/mcp/s.yaml:4:14: the value can't stand in a header: is a line break in it?\n" +
				"tools/mcp/s.yaml:5:16: client_credentials needs both a name and a secret: write client_id and client_secret\n" +
				"tools/mcp/s.yaml:5:51: 70000 is no port: write a number up to 65535",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, faults := readFiles(t, "-- tools/mcp/s.yaml --\n"+test.file, environment)
			if strings.Join(got, " | ") != test.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, " | "), test.want)
			}
			if faults != test.faults {
				t.Errorf("faults\n%s\nwant\n%s", faults, test.faults)
			}
		})
	}
}

// TestSecretsAreHidden in whatever form a message has them.
func TestSecretsAreHidden(t *testing.T) {
	t.Parallel()
	c := Config{
		APIKey: "key-of-the-file", Headers: map[string]Secret{"X": "long enough", "Y": "short"},
		Env: map[string]Secret{
			"MY_TOKEN": "t0ken-of-env", "MODE": "dry", "MY_PAT": "pat-of-me", "DATABASE_URL": "postgres://me:correct-horse@db/x",
		},
		OAuth: &OAuth{ClientSecret: "client-secret"},
	}
	h := hide(&c, map[string]string{"KEY": "sesame open", "LONGER": "sesame open wide", "TINY": "abc"})
	for text, want := range map[string]string{
		`Get "https://x/?k=sesame+open": refused`:                        `Get "https://x/?k=${KEY}": refused`,
		"https://x/sesame%20open/sesame open wide/abc":                   "https://x/${KEY}/${LONGER}/abc",
		"key-of-the-file, long enough, short":                            "[secret], [secret], short",
		"t0ken-of-env dry client-secret":                                 "[secret] dry [secret]",
		"bad pat-of-me; postgres://me:correct-horse@db/x, correct-horse": "bad [secret]; [secret], [secret]",
	} {
		if got := h.in(text); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestANameIsPrinted in hints and asked for at a terminal.
func TestANameIsPrinted(t *testing.T) {
	t.Parallel()
	for name, good := range map[string]bool{
		"notes": true, "my notes": true, "Übung": true, "": false, " ": false,
		"red\x1b[31m": false, "title\x1b]0;owned\x07": false, "two\nlines": false, "c1\u009b31m": false, "turned\u202e": false, "bad\xff": false,
	} {
		c := Config{Name: name, Command: "one"}
		if got := c.check(); len(got) == 0 != good {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// TestAKeyInAnAddressIsHidden, and else an address is shown: it says who is meant.
func TestAKeyInAnAddressIsHidden(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://a.example/mcp":                                      "https://a.example/mcp",
		"https://a.example/api/v2/servers/mcp":                       "https://a.example/api/v2/servers/mcp",
		"https://a.example/s/NTk3ZDQ4ZGItYzI1Nw/mcp":                 "https://a.example/[secret]",
		"https://a.example/v3/0a1b2c3d-4e5f-6789-abcd-ef0123456789/": "https://a.example/[secret]",
		"https://a.example/mcp?api_key=abcdefghij&mode=streamable":   "https://a.example/mcp?api_key=[secret]&mode=streamable",
		"https://a.example/mcp?p=Q2hyaXN0bWFzMTIzNDU2":               "https://a.example/mcp?p=[secret]",
		"https://me:pass-word-1@a.example/mcp":                       "https://me:[secret]@a.example/mcp",
	} {
		h := hide(&Config{URL: address}, nil)
		if got := h.in(`Get "` + address + `": refused`); got != `Get "`+want+`": refused` {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	h := hide(&Config{URL: "https://a.example/s/NTk3ZDQ4ZGItYzI1Nw/mcp"}, nil)
	if got := h.in("no user NTk3ZDQ4ZGItYzI1Nw"); got != "no user [secret]" {
		t.Errorf("got %s", got)
	}
}

// FuzzJSON: whatever a file holds, each of its servers is whole and each fault has its
// place, and nothing that the environment put in is shown.
func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"mcpServers": {"a": {"command": "a", "args": ["${KEY}", "${NO}", "${KEY:-x}"], "env": {"A": "${input:a}"}, "timeout": 3}}}`))
	f.Add([]byte(`{"servers": {"a": {"transport": {"type": "sse", "url": "https://${KEY}/"}, "oauth": {"scopes": ["a"]}}}, "inputs": [{"id": "a", "default": "b"}]}`))
	f.Add([]byte(`{"servers": {"a": {"transport": {"transport": {"url": "${env:KEY}"}}, "url": 1}, "a": 0}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := &catalog.File{Path: "mcp.json", Dir: "/ws", Data: data, Env: func(name string) (string, bool) { return "sesame-open", name == "KEY" }}
		if strings.Contains(string(data), "envFile") || strings.Contains(string(data), "sesame") {
			return // no other file is read here
		}
		servers, err := readJSON(file)
		for _, s := range servers {
			if found := s.check(); len(found) > 0 {
				t.Errorf("%v of a server that was taken", found)
			}
			if s.line < 1 || s.Timeout < 0 || s.Timeout > 24*time.Hour {
				t.Errorf("line %d, timeout %v", s.line, s.Timeout)
			}
		}
		if err != nil && strings.Contains(err.Error(), "sesame") {
			t.Errorf("a secret is shown: %v", err)
		}
		if _, err := json.Marshal(servers); err != nil {
			t.Error(err)
		}
	})
}
