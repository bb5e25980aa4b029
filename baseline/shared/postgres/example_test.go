package postgres_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/baseline/shared"
	_ "github.com/git-provenance/git-provenance/baseline/shared/postgres" // addresses of PostgreSQL
)

// A program that imports this package can open baselines in PostgreSQL. Messages name them without passwords.
func Example() {
	address := "postgres://ci:secret@db.example.org/code?sslmode=verify-full"
	fmt.Println(shared.IsAddress(address), shared.Name(address))
	// Output: true postgres://ci@db.example.org/code?sslmode=verify-full
}
