package httptool

import (
	"time"

	"helve/internal/yamlfile"
)

// Secret is a key or a password. Whatever prints it prints a placeholder.
type Secret = yamlfile.Secret

// JSON is a JSON value of any shape. In a file it is written as YAML.
type JSON = yamlfile.JSON

// Config says what a tool asks and how. It is what a file in tools/native/
// holds: the yaml tags are the file's keys, and those with omitempty may be left
// out.
type Config struct {
	Name        string `yaml:"name" jsonschema_description:"What the model calls: letters, digits, _ and -, at most 64."`
	Description string `yaml:"description" jsonschema_description:"What the tool is for. The model chooses by it."`

	Method  string            `yaml:"method,omitempty" jsonschema:"enum=GET,enum=POST,enum=PUT,enum=PATCH,enum=DELETE" jsonschema_description:"GET (default), POST, PUT, PATCH or DELETE."`
	APIURL  string            `yaml:"api_url" jsonschema_description:"The URL. {name} in its path and query is an argument."`
	Query   map[string]string `yaml:"query,omitempty" jsonschema_description:"Keys of the query. {name} is an argument, {name*} one that repeats its key."`
	Headers map[string]string `yaml:"headers,omitempty" jsonschema_description:"Headers of the request. {name} is an argument."`

	// Body is a JSON value whose strings are templates. Without one the arguments
	// that stand nowhere else are the body. BodyType "form" sends its keys as a web
	// form does; "text" sends its one string.
	Body     JSON   `yaml:"body,omitempty" jsonschema_description:"What to send. {name} alone is the argument with its type. Default: the arguments that stand nowhere else."`
	BodyType string `yaml:"body_type,omitempty" jsonschema:"enum=json,enum=form,enum=text" jsonschema_description:"json (default), form or text."`

	Auth `yaml:",inline"`

	// Parameters is the JSON Schema of the arguments, an object, or the short form:
	// an object whose keys are the parameters, and each value the schema of one,
	// with "required": true where it must be given. It is a JSON Schema if its
	// "type" is the text "object", and else the short form.
	Parameters JSON `yaml:"parameters,omitempty" jsonschema_description:"The arguments: name: {type, description, required, default, enum, …}, or a JSON Schema with type: object."`

	Response  Response      `yaml:"response,omitempty" jsonschema_description:"What the model gets of the answer."`
	Timeout   time.Duration `yaml:"timeout,omitempty" jsonschema_description:"How long a call may take, repetitions included. Default 30s."`
	Retry     Retry         `yaml:"retry,omitempty" jsonschema_description:"Whether to ask again."`
	RateLimit RateLimit     `yaml:"rate_limit,omitempty" jsonschema_description:"How often the API may be asked."`

	AllowedHosts []string `yaml:"allowed_hosts,omitempty" jsonschema_description:"Hosts that a redirect may lead to, besides that of api_url: cdn.example.com or *.example.com."`

	ReadOnly     *bool `yaml:"read_only,omitempty" jsonschema_description:"It changes nothing. Default: true for GET."`
	Idempotent   *bool `yaml:"idempotent,omitempty" jsonschema_description:"Asking twice does no more harm than once. Default: true for GET, PUT and DELETE."`
	ReturnDirect bool  `yaml:"return_direct,omitempty" jsonschema_description:"The answer ends the run."`
}

// Auth says how the tool shows who it is.
type Auth struct {
	AuthMethod string `yaml:"auth_method,omitempty" jsonschema:"enum=none,enum=api_key,enum=bearer,enum=basic,enum=oauth2_client_credentials" jsonschema_description:"none (default), api_key, bearer, basic or oauth2_client_credentials."`

	APIKey     Secret `yaml:"api_key,omitempty" jsonschema_description:"For api_key: the key, as ${NAME}."`
	APIKeyIn   string `yaml:"api_key_in,omitempty" jsonschema:"enum=header,enum=query" jsonschema_description:"For api_key: header (default) or query."`
	APIKeyName string `yaml:"api_key_name,omitempty" jsonschema_description:"For api_key: the header's or the query's key. Default X-API-Key, in a query api_key."`

	Token Secret `yaml:"token,omitempty" jsonschema_description:"For bearer: the token, as ${NAME}."`

	Username string `yaml:"username,omitempty" jsonschema_description:"For basic."`
	Password Secret `yaml:"password,omitempty" jsonschema_description:"For basic, as ${NAME}."`

	TokenURL     string   `yaml:"token_url,omitempty" jsonschema_description:"For oauth2_client_credentials: where tokens are given out."`
	ClientID     string   `yaml:"client_id,omitempty" jsonschema_description:"For oauth2_client_credentials."`
	ClientSecret Secret   `yaml:"client_secret,omitempty" jsonschema_description:"For oauth2_client_credentials, as ${NAME}."`
	Scopes       []string `yaml:"scopes,omitempty" jsonschema_description:"For oauth2_client_credentials."`
}

// Response says what the model gets of an answer.
type Response struct {
	Select   string   `yaml:"select,omitempty" jsonschema_description:"A JSONPath (RFC 9535 form) such as $.results[*]: only this part of a JSON answer."`
	Fields   []string `yaml:"fields,omitempty" jsonschema_description:"Of each object selected, only these keys, in this order."`
	MaxBytes int      `yaml:"max_bytes,omitempty" jsonschema_description:"The longest text for the model. Default 65536."`
}

// Retry says whether a request is sent again. What the server refused to begin
// (429, and 503 with Retry-After) is sent again whatever the method; a broken
// connection, 502, 503 and 504 only where the tool is idempotent.
type Retry struct {
	Attempts int           `yaml:"attempts,omitempty" jsonschema_description:"How often to ask in all. Default 1."`
	MaxWait  time.Duration `yaml:"max_wait,omitempty" jsonschema_description:"The longest wait before an attempt. A server that wants a longer one is not asked again. Default 10s."`
}

// RateLimit bounds how often the tool asks, over all its calls. A call waits for
// its turn as long as its timeout lets it.
type RateLimit struct {
	PerSecond float64 `yaml:"per_second,omitempty" jsonschema_description:"Requests a second, on average. 0.5 is one in two seconds."`
	Burst     int     `yaml:"burst,omitempty" jsonschema_description:"How many may go at once. Default 1."`
}

const (
	defaultTimeout  = 30 * time.Second
	defaultMaxWait  = 10 * time.Second
	defaultMaxBytes = 64 << 10
	maxRead         = 10 << 20 // bytes of a body, after decompression
)
