package remote

import (
	"net/http"

	"helve/netpolicy"
)

// RESTClient is for a server of document 004's form. Who uses it reads what the server
// refuses; it is kept all the same, for Explain and for who watches the context.
func (r *Remote) RESTClient() *http.Client { return r.client(simple{r}) }

// simple is the way of a server that knows neither messages nor sessions.
type simple struct{ *Remote }

func (s simple) RoundTrip(req *http.Request) (*http.Response, error) {
	outcome := watched(req.Context())
	outcome.begin()
	response, failure := s.send(req, req.Method == http.MethodGet)
	switch {
	case failure != nil:
		return nil, s.fail(req, outcome, failure)
	case isRedirect(response):
		outcome.didNotRun()
	case response.StatusCode/100 != 2:
		status, _ := s.readRefusal(req, response)
		_ = s.fail(req, outcome, &RequestError{NotRun: status.notRun(), Place: netpolicy.Place(req.URL), Err: status})
	default:
		s.last.Store(nil)
	}
	return response, nil
}
