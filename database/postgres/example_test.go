package postgres_test

import (
	"context"
	"fmt"

	"helve/database/postgres"
)

// An error says what is wrong with the address, and never shows the password.
func ExampleOpen() {
	_, err := postgres.Open(context.Background(), "postgresql://helve:p@ss/word@db.example.com/helve")
	fmt.Println(err)
	// Output:
	// postgres: the address is not valid: write postgres://user:password@host:5432/database, with %-codes for special characters of the password, such as %40 for @
}
