// Package oauth gets and keeps the tokens that an MCP server behind OAuth 2.1 asks for.
//
// A [Handler] does it for one server. It is the SDK's auth.OAuthHandler: the transport
// asks it for a token before each request, and tells it when a request was refused.
// What it does then depends on who is there:
//
//   - Without a [Login] nobody is. An expired token is refreshed; where that is not
//     possible, the error is a [LoginNeededError], which says which command to run. It
//     never opens a browser, and never tries for ever.
//   - With a Login a person is. The handler shows the address of the authorization
//     server, waits on this machine for the browser to come back, and changes the code
//     it brings into tokens. [Handler.LogIn] does so without waiting for a refusal.
//   - With the grant client_credentials nobody is needed: the token comes for the
//     configured secret and is kept in memory.
//
// # What is kept
//
// A [Store] keeps a file for each server, by its URL: the tokens, when they expire, and
// the client that was registered, with its redirect, since a refresh token is of no use
// without it. Where a server gives a new refresh token with each refresh, the
// old one ends: two processes that refresh at once would end each other's login. So a
// refresh holds a lock that all processes see, and looks first whether another has done
// it already.
//
// # What is checked
//
// Where to log in is found out from the server (RFC 9728, RFC 8414), each address is
// https or of this machine, and the client that asks is the caller's, so that its
// policy holds. The flow is the authorization code with PKCE (S256), a state that the
// redirect must bring back, the issuer's name (RFC 9207), and the server's own URL as
// the token's audience (RFC 8707). A registration belongs to its issuer: a server that
// names another gets no token and no client of the first. No error holds a token, a
// code or a secret.
package oauth
