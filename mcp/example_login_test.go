package mcp_test

import (
	"context"
	"fmt"

	"helve/mcp"
)

// A program with a person in front of it lets them log in, and keeps the tokens for
// later runs that nobody watches.
func ExampleLogin() {
	server := mcp.Config{Name: "notes", URL: "https://notes.example.com/mcp"}
	options := mcp.Options{TokenDir: "/home/you/.local/share/helve/mcp-logins"}
	show := func(_ context.Context, url string) error {
		fmt.Println("open", url)
		return nil
	}
	validity, err := mcp.Login(context.Background(), server, options, show)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("good until", validity.Expires)
}

// Logging out tells the server where one logs in, too.
func ExampleLogout() {
	server := mcp.Config{Name: "notes", URL: "https://notes.example.com/mcp"}
	was, err := mcp.Logout(context.Background(), server, mcp.Options{TokenDir: "/home/you/.local/share/helve/mcp-logins"})
	fmt.Println("somebody was logged in:", was, err)
}
