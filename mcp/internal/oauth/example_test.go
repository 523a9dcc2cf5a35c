package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"helve/mcp/internal/oauth"
)

// A person logs in once; a program that nobody watches uses the login.
func Example() {
	w := newWorld() // an MCP server, and the server where one logs in for it
	defer w.close()
	dir, err := os.MkdirTemp("", "tokens")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	config, store := oauth.Config{Server: "notes", URL: w.url()}, &oauth.Store{Dir: dir}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

	unwatched, err := oauth.New(config, store, client, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	connect := func() error {
		c := sdk.NewClient(&sdk.Implementation{Name: "example", Version: "1"}, nil)
		session, err := c.Connect(context.Background(), &sdk.StreamableClientTransport{Endpoint: w.url(), OAuthHandler: unwatched, HTTPClient: client}, nil)
		if err == nil {
			session.Close()
		}
		return err
	}
	var needed *oauth.LoginNeededError
	if errors.As(connect(), &needed) {
		fmt.Println(needed)
	}

	person, err := oauth.New(config, store, client, &oauth.Login{Show: func(ctx context.Context, url string) error {
		_, err := get(ctx, client, url) // in place of a browser
		return err
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	validity, err := person.LogIn(context.Background())
	fmt.Println("logged in:", err == nil, "renewed:", validity.Renewed)
	fmt.Println("connected:", connect() == nil)

	was, err := unwatched.LogOut(context.Background())
	fmt.Println("logged out:", was, err)
	// Output:
	// mcp server notes: nobody is logged in: run "helve mcp login notes"
	// logged in: true renewed: true
	// connected: true
	// logged out: true <nil>
}
