package httptool

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"golang.org/x/time/rate"

	"helve/internal/httpbody"
	"helve/internal/parameters"
	"helve/internal/secret"
	"helve/netpolicy"
	"helve/schema"
	"helve/tool"
)

// api is one tool over HTTP. Nothing in it changes after [New], but what the
// limiter and the authorizer guard themselves.
type api struct {
	config     Config
	definition tool.Definition
	plan       *plan
	client     *http.Client
	transport  *http.Transport
	authorizer authorizer
	limiter    *rate.Limiter // nil: no limit
	presenter  presenter
	secrets    []string // that stand in the config outside of Auth, or came from the environment
	idempotent bool
}

// New makes a tool of c. Of policy only AllowPrivate counts: the hosts are those
// that c names. The tool is an [io.Closer]: Close ends its idle connections,
// which end by themselves after half a minute.
//
// The error joins a [*ConfigError] for each thing that is wrong.
func New(c Config, policy netpolicy.Policy) (tool.Tool, error) { return newAPI(c, policy, nil) }

// newAPI is New for a c that holds values of the environment.
func newAPI(c Config, policy netpolicy.Policy, environment map[string]string) (tool.Tool, error) {
	wrong := problems{environment: slices.Collect(maps.Values(environment))}
	checkNames(&c, &wrong)
	c.Auth.check(&wrong)
	checkLimits(&c, &wrong)
	arguments := compileParameters(&c, &wrong)
	a := &api{
		config:    c,
		plan:      newPlan(&c, arguments, &wrong),
		presenter: presenter{newSelection(c.Response, &wrong), orDefault(c.Response.MaxBytes, defaultMaxBytes)},
	}
	if err := wrong.err(); err != nil {
		return nil, err
	}
	a.secrets = slices.Concat(environmentSecrets(environment, a.plan.target.origin), writtenSecrets(&c))
	a.connect(policy)
	a.define(arguments)
	if err := a.definition.Check(); err != nil {
		wrong.add("/parameters", "%v", err)
		return nil, wrong.err()
	}
	return a, nil
}

// Close ends the connections that wait for a next call. The tool still works
// afterwards.
func (a *api) Close() error {
	a.transport.CloseIdleConnections()
	return nil
}

func checkNames(c *Config, wrong *problems) {
	if err := (tool.Definition{Name: c.Name, Description: "x"}).Check(); err != nil {
		wrong.add("/name", "%q: providers want 1 to 64 letters, digits, _ or -", c.Name)
	}
	if err := (tool.Definition{Name: "x", Description: c.Description}).Check(); err != nil {
		wrong.add("/description", "say what the tool is for: the model chooses by it")
	}
}

func checkLimits(c *Config, wrong *problems) {
	if err := (netpolicy.Policy{Hosts: c.AllowedHosts}).Check(); err != nil {
		wrong.add("/allowed_hosts", "%v", err)
	}
	if c.Timeout < 0 {
		wrong.add("/timeout", "it must not be negative")
	}
	if c.Response.MaxBytes < 0 || c.Response.MaxBytes > maxRead {
		wrong.add("/response/max_bytes", "write 1 to %d", maxRead)
	}
	if c.Retry.Attempts < 0 || c.Retry.Attempts > 10 {
		wrong.add("/retry/attempts", "write 1 to 10")
	}
	if c.RateLimit.PerSecond < 0 || c.RateLimit.Burst < 0 {
		wrong.add("/rate_limit", "numbers must not be negative")
	}
	if c.RateLimit.PerSecond == 0 && c.RateLimit.Burst > 0 {
		wrong.add("/rate_limit", "burst needs per_second")
	}
}

func compileParameters(c *Config, wrong *problems) *schema.Schema {
	s, found := parameters.Compile(json.RawMessage(c.Parameters))
	for _, p := range found {
		wrong.add(p.Pointer, "%s", p.Message)
	}
	return s
}

// connect makes the clients. That for tokens may reach the host of token_url
// alone.
func (a *api) connect(policy netpolicy.Policy) {
	c := &a.config
	policy.Hosts = append([]string{a.plan.target.host}, c.AllowedHosts...)
	a.transport = policy.Transport()
	a.client = policy.Client(a.transport, 0) // a call has a deadline of its own
	if c.RateLimit.PerSecond > 0 {
		a.limiter = rate.NewLimiter(rate.Limit(c.RateLimit.PerSecond), max(1, c.RateLimit.Burst))
	}
	a.authorizer = fixed{c.Auth}
	if c.AuthMethod == "oauth2_client_credentials" {
		tokens := netpolicy.Policy{AllowPrivate: policy.AllowPrivate}
		if u, err := url.Parse(c.TokenURL); err == nil {
			tokens.Hosts = []string{u.Hostname()}
		}
		transport := tokens.Transport()
		transport.DisableKeepAlives = true // a token lasts an hour
		a.authorizer = newClientCredentials(c.Auth, tokens.Client(transport, 0))
	}
}

func (a *api) define(parameters *schema.Schema) {
	reads := a.plan.method == http.MethodGet
	repeats := reads || a.plan.method == http.MethodPut || a.plan.method == http.MethodDelete
	a.definition = tool.Definition{
		Name: a.config.Name, Description: a.config.Description, Parameters: parameters,
		ReadOnly:     orElse(a.config.ReadOnly, reads),
		Idempotent:   orElse(a.config.Idempotent, repeats),
		ReturnDirect: a.config.ReturnDirect,
		Timeout:      orDefault(a.config.Timeout, defaultTimeout) + graceTime,
	}
	a.idempotent = a.definition.ReadOnly || a.definition.Idempotent
}

// Definition makes api a [tool.Tool].
func (a *api) Definition() tool.Definition { return a.definition }

func orElse(p *bool, otherwise bool) bool {
	if p == nil {
		return otherwise
	}
	return *p
}

// Call makes api a [tool.Tool].
func (a *api) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, orDefault(a.config.Timeout, defaultTimeout))
	defer cancel()
	response, body, err := a.ask(ctx, call.Arguments)
	if err != nil {
		return tool.Result{}, err
	}
	result := tool.Result{Artifact: newAnswer(response, body)}
	if response.StatusCode/100 != 2 {
		return result, a.named(a.statusError(response, body))
	}
	result.Content, err = a.presenter.present(response, body)
	return result, a.named(err)
}

// ask sends the request, again where that may help.
func (a *api) ask(ctx context.Context, args json.RawMessage) (*http.Response, httpbody.Body, error) {
	attempts := newAttempts(a.config.Retry, a.idempotent)
	renewed := false
	for {
		request, secrets, err := a.prepare(ctx, args)
		if err != nil {
			return nil, httpbody.Body{}, a.named(err)
		}
		response, body, err := a.send(request, secrets)
		if err == nil && response.StatusCode == http.StatusUnauthorized && !renewed && a.authorizer.renew(request) {
			renewed = true
			continue
		}
		if attempts.again(ctx, response, err) {
			continue
		}
		return response, body, a.requestError(err)
	}
}

// prepare makes a request with its credentials when it is the tool's turn.
func (a *api) prepare(ctx context.Context, args json.RawMessage) (request *http.Request, secrets []string, err error) {
	if request, err = a.plan.request(ctx, args); err != nil {
		return nil, nil, err
	}
	if err = a.wait(ctx); err != nil {
		return nil, nil, err
	}
	secrets, err = a.authorizer.authorize(ctx, request)
	return request, secrets, err
}

// send sends the request once and reads the answer, without the secrets that went
// out.
func (a *api) send(request *http.Request, secrets []string) (*http.Response, httpbody.Body, error) {
	response, err := a.client.Do(request)
	if err != nil {
		return nil, httpbody.Body{}, err
	}
	defer response.Body.Close()
	body, err := httpbody.Read(response, maxRead)
	if err != nil {
		return nil, httpbody.Body{}, err
	}
	body.Data = secret.Hide(body.Data, slices.Concat(secrets, a.secrets))
	return response, body, nil
}

// requestError is the error of a request that got no answer. It says nothing of
// the path, which may hold a key. The server may have done its work: only what may
// be done twice is retryable.
func (a *api) requestError(err error) error {
	if err == nil {
		return nil
	}
	origin, parseErr := url.Parse(a.plan.target.origin)
	if parseErr != nil { // New has parsed it
		origin = &url.URL{}
	}
	e := *tool.AsError(netpolicy.Error(a.config.Name, origin, err))
	e.Message = string(secret.Hide([]byte(e.Message), a.secrets)) // it may name where a redirect leads
	e.Retryable = e.Retryable && a.idempotent
	return &e
}

// wait waits for the tool's turn under its rate limit.
func (a *api) wait(ctx context.Context) error {
	if a.limiter == nil {
		return nil
	}
	if err := a.limiter.Wait(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &tool.Error{Kind: tool.KindUnavailable, Message: "too many calls: the limit of this tool leaves no turn in time", Err: err, Retryable: true}
	}
	return nil
}

// named puts the tool's name in front of an error's message.
func (a *api) named(err error) error {
	if err == nil {
		return nil
	}
	e := *tool.AsError(err)
	if e.Kind != tool.KindCanceled {
		e.Message = a.config.Name + ": " + e.Message
	}
	return &e
}
