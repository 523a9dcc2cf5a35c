package httptool

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestNewFindsAllMistakes(t *testing.T) {
	t.Parallel()
	good := Config{Name: "api", Description: "Ask.", APIURL: "https://example.com/{id}", Parameters: JSON(`{"id":{"type":"string","required":true},"q":{"type":"string"}}`)}
	for _, test := range []struct {
		name, pointer, want string
		change              func(*Config)
	}{
		{"name", "/name", "1 to 64 letters", func(c *Config) { c.Name = "a b" }},
		{"description", "/description", "say what", func(c *Config) { c.Description = " " }},
		{"method", "/method", `"FETCH" is no method: there are GET`, func(c *Config) { c.Method = "FETCH" }},
		{"no URL", "/api_url", "write the whole URL", func(c *Config) { c.APIURL = "" }},
		{"a path alone", "/api_url", "write the whole URL", func(c *Config) { c.APIURL = "/v1/{id}" }},
		{"another scheme", "/api_url", "write the whole URL", func(c *Config) { c.APIURL = "ftp://example.com/{id}" }},
		{"no host", "/api_url", "no host", func(c *Config) { c.APIURL = "https:///{id}" }},
		{"a host that a model chooses", "/api_url", "no argument may choose the host", func(c *Config) { c.APIURL = "https://{id}.example.com/" }},
		{"a port that a model chooses", "/api_url", "no argument may choose the host", func(c *Config) { c.APIURL = "https://example.com:{id}" }},
		{"a host that grows", "/api_url", "no argument may choose the host", func(c *Config) { c.APIURL = "https://example.com{id}" }},
		{"a bad host", "/api_url", "is no host", func(c *Config) { c.APIURL = "https://exa mple.com/{id}" }},
		{"a user", "/api_url", "auth_method: basic", func(c *Config) { c.APIURL = "https://me:pw@example.com/{id}" }},
		{"a fragment", "/api_url", "begins with #", func(c *Config) { c.APIURL += "#x" }},
		{"a bad escape", "/api_url", "the path", func(c *Config) { c.APIURL += "/%zz" }},
		{"a bad query", "/api_url", "the query", func(c *Config) { c.APIURL += "?a=%zz" }},
		{"an argument of the path that may be missing", "/api_url", "so q must be given", func(c *Config) { c.APIURL += "/{q}" }},
		{"a repeated key in the path", "/api_url", "a path has none", func(c *Config) { c.APIURL = "https://example.com/{id*}" }},
		{"a misspelt parameter", "/query/q", "did you mean {id}?", func(c *Config) { c.Query = map[string]string{"q": "{ids}"} }},
		{"an unknown parameter", "/query/q", "there are id, q; for the text itself write {{zzzzzz}}", func(c *Config) { c.Query = map[string]string{"q": "{zzzzzz}"} }},
		{"a repeated key in text", "/query/q", "must be the whole value", func(c *Config) { c.Query = map[string]string{"q": "x{q*}"} }},
		{"a repeated key in a header", "/headers/X", "must be the whole value", func(c *Config) { c.Headers = map[string]string{"X": "{q*}"} }},
		{"a header's name", "/headers/X Y", "no name for a header", func(c *Config) { c.Headers = map[string]string{"X Y": "1"} }},
		{"a header's value", "/headers/X", "no header may", func(c *Config) { c.Headers = map[string]string{"X": "1\r\nY: 2"} }},
		{"a header of net/http", "/headers/content-length", "can't be set", func(c *Config) { c.Headers = map[string]string{"content-length": "1"} }},
		{"a body type", "/body_type", "no body type", func(c *Config) { c.Method, c.BodyType = "POST", "yaml" }},
		{"a body type for GET", "/body_type", "sends no body", func(c *Config) { c.BodyType = "json" }},
		{"a text without text", "/body_type", "needs a body", func(c *Config) { c.Method, c.BodyType = "POST", "text" }},
		{"a text that is none", "/body", "one text", func(c *Config) { c.Method, c.BodyType, c.Body = "POST", "text", JSON(`{"q":"{q}"}`) }},
		{"a JSON text", "/body", "body_type: text", func(c *Config) { c.Method, c.Body = "POST", JSON(`"x {q}"`) }},
		{"JSON by hand", "/body_type", "so that an argument can't break it", func(c *Config) {
			c.Method, c.BodyType, c.Body, c.Headers = "POST", "text", JSON(`"{q}"`), map[string]string{"Content-Type": "application/json"}
		}},
		{"a form with a list", "/body", "q is not", func(c *Config) { c.Method, c.BodyType, c.Body = "POST", "form", JSON(`{"q":["{q}"]}`) }},
		{"a parameter that is sent nowhere", "/parameters", "q is sent nowhere", func(c *Config) { c.Method, c.Body = "POST", JSON(`{"x":1}`) }},
		{"a brace that is open", "/api_url", "write {name}", func(c *Config) { c.APIURL = "https://example.com/{id}/{q" }},
		{"a brace that is open inside", "/api_url", "write {name}", func(c *Config) { c.APIURL = "https://example.com/{q/{id}" }},
		{"a brace that was not opened", "/api_url", "write {name}", func(c *Config) { c.APIURL = "https://example.com/{id}/q}" }},
		{"a brace of the query that is open", "/api_url", "write {q}", func(c *Config) { c.APIURL += "?q={q" }},
		{"a brace of a value that is open", "/query/q", "write {q}", func(c *Config) { c.Query = map[string]string{"q": "a {q"} }},
		{"a body without quotes", "/body", `write "{q}" in quotes`, func(c *Config) { c.Method, c.Body = "POST", JSON(`{"q":null}`) }},
		{"a value of the body without quotes", "/body/a/1/b", `write "{q}" in quotes`, func(c *Config) { c.Method, c.Body = "POST", JSON(`{"a":[1,{"b":{"q":null}}]}`) }},
		{"a form without quotes", "/body/a", `write "{q*}" in quotes`, func(c *Config) { c.Method, c.BodyType, c.Body = "POST", "form", JSON(`{"a":{"q*":null},"b":"1"}`) }},
		{"parameters in a list", "/parameters", "want keys and values", func(c *Config) { c.Parameters = JSON(`["id"]`) }},
		{"a schema of another type", "/parameters/type", "always an object", func(c *Config) { c.Parameters = JSON(`{"type":"array"}`) }},
		{"a schema without its type", "/parameters", "a whole JSON Schema needs type: object", func(c *Config) { c.Parameters = JSON(`{"properties":{"id":{}},"required":["id"]}`) }},
		{"a type's name", "/parameters/id/type", "did you mean integer?", func(c *Config) { c.Parameters = JSON(`{"id":{"type":"int","required":true},"q":{}}`) }},
		{"a type's spelling", "/parameters/id/type", "did you mean string?", func(c *Config) { c.Parameters = JSON(`{"id":{"type":"strin","required":true},"q":{}}`) }},
		{"required of text", "/parameters/id/required", "required: true", func(c *Config) { c.Parameters = JSON(`{"id":{"type":"string","required":"yes","default":"1"},"q":{}}`) }},
		{"a schema that is none", "/parameters/id", "minimum", func(c *Config) { c.Parameters = JSON(`{"id":{"type":"integer","minimum":"x","required":true}}`) }},
		{"a keyword's spelling", "/parameters/id/requird", `"requird" is no keyword of JSON Schema: did you mean required?`, func(c *Config) { c.Parameters = JSON(`{"id":{"type":"string","requird":true,"default":"1"},"q":{}}`) }},
		{"a keyword that is none", "/parameters/id/colour", "write what is your own as x-colour", func(c *Config) {
			c.Parameters = JSON(`{"id":{"type":"string","x-y":1,"colour":"red","required":true},"q":{}}`)
		}},
		{"a keyword inside", "/parameters/q/items/properties/a~1b/descripton", "did you mean description?", func(c *Config) {
			c.Parameters = JSON(`{"id":{"required":true},"q":{"type":"array","items":{"type":"object","properties":{"a/b":{"descripton":"x"}}}}}`)
		}},
		{"an enum of another type", "/parameters/id/enum/1", `"a" is not of the type integer`, func(c *Config) {
			c.Parameters = JSON(`{"id":{"type":"integer","enum":[1,"a"],"required":true},"q":{}}`)
		}},
		{"a fraction among integers", "/parameters/id/enum/1", `1.5 is not of the type integer`, func(c *Config) {
			c.Parameters = JSON(`{"id":{"type":"integer","enum":[2.0,1.5],"required":true},"q":{}}`)
		}},
		{"a range that is empty", "/parameters/id/minimum", "minimum is above maximum", func(c *Config) {
			c.Parameters = JSON(`{"id":{"type":"integer","minimum":5,"maximum":1,"required":true},"q":{}}`)
		}},
		{"a default that is not valid", "/parameters/q", "the default breaks its own schema", func(c *Config) {
			c.Parameters = JSON(`{"id":{"required":true},"q":{"type":"integer","default":"many"}}`)
		}},
		{"auth", "/auth_method", "did you mean bearer?", func(c *Config) { c.AuthMethod = "baerer" }},
		{"auth without its key", "/auth_method", "bearer needs token", func(c *Config) { c.AuthMethod = "bearer" }},
		{"a key without its auth", "/token", "write auth_method: bearer", func(c *Config) { c.Token = "s3cret" }},
		{"a key of another auth", "/api_key", "not used with auth_method: bearer: write auth_method: api_key", func(c *Config) { c.AuthMethod, c.Token, c.APIKey = "bearer", "s3cret", "s3cret" }},
		{"the key's place", "/api_key_in", `"cookie" is no place`, func(c *Config) { c.AuthMethod, c.APIKey, c.APIKeyIn = "api_key", "s3cret", "cookie" }},
		{"the key's header", "/api_key_name", "no name for a header", func(c *Config) { c.AuthMethod, c.APIKey, c.APIKeyName = "api_key", "s3cret", "a b" }},
		{"a key with a newline", "/api_key", "the end of a line", func(c *Config) { c.AuthMethod, c.APIKey = "api_key", "s3cret\n" }},
		{"a token with a newline", "/token", "the end of a line", func(c *Config) { c.AuthMethod, c.Token = "bearer", "s3cret\n" }},
		{"token_url", "/token_url", "write the whole URL", func(c *Config) {
			c.AuthMethod, c.TokenURL, c.ClientID, c.ClientSecret = "oauth2_client_credentials", "x", "id", "s3cret"
		}},
		{"token_url with an argument", "/token_url", "no place here", func(c *Config) {
			c.AuthMethod, c.TokenURL, c.ClientID, c.ClientSecret = "oauth2_client_credentials", "https://x/{id}", "id", "s3cret"
		}},
		{"a path of JSON", "/response/select", "no JSONPath", func(c *Config) { c.Response.Select = "$.[" }},
		{"a path without $", "/response/select", "write $.a.b", func(c *Config) { c.Response.Select = "a.b" }},
		{"bytes", "/response/max_bytes", "1 to 10485760", func(c *Config) { c.Response.MaxBytes = 1 << 30 }},
		{"attempts", "/retry/attempts", "1 to 10", func(c *Config) { c.Retry.Attempts = 11 }},
		{"a burst alone", "/rate_limit", "needs per_second", func(c *Config) { c.RateLimit.Burst = 2 }},
		{"a rate below zero", "/rate_limit", "negative", func(c *Config) { c.RateLimit.PerSecond = -1 }},
		{"a timeout below zero", "/timeout", "negative", func(c *Config) { c.Timeout = -time.Second }},
		{"a host that is none", "/allowed_hosts", "is not a host", func(c *Config) { c.AllowedHosts = []string{"https://x"} }},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := good
			test.change(&c)
			_, err := New(c, onLoopback)
			var wrong *ConfigError
			if !errors.As(err, &wrong) || wrong.Pointer != test.pointer || !strings.Contains(wrong.Message, test.want) {
				t.Errorf("got  %v\nwant %s: %s", err, test.pointer, test.want)
			}
			if err != nil && strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error shows a secret: %v", err)
			}
		})
	}
	if _, err := New(good, onLoopback); err != nil {
		t.Error(err)
	}
	_, err := New(Config{Method: "x"}, onLoopback)
	if n := strings.Count(err.Error(), "\n") + 1; n != 4 {
		t.Errorf("got %d mistakes, want those of name, description, method and api_url: %v", n, err)
	}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	t.Parallel()
	c := Config{Auth: Auth{AuthMethod: "bearer", Token: "s3cret", APIKey: "s3cret", Password: "s3cret", ClientSecret: "s3cret"}}
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "config", c, "token", c.Token)
	if all := fmt.Sprintf("%v %+v %#v %s", c, c, c, log.String()); strings.Contains(all, "s3cret") {
		t.Errorf("a secret shows: %s", all)
	}
}
