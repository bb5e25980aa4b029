// Reads statements with in-toto's own library, which checks their required fields.
package main

import (
	"fmt"
	"os"

	intoto "github.com/in-toto/attestation/go/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

func main() {
	for _, name := range os.Args[1:] {
		js, err := os.ReadFile(name)
		s := new(intoto.Statement)
		if err == nil {
			err = protojson.Unmarshal(js, s)
		}
		if err == nil {
			err = s.Validate()
		}
		if err != nil {
			fmt.Println(name, err)
			os.Exit(1)
		}
		fmt.Printf("%s: a statement with %d subjects\n", name, len(s.Subject))
	}
}
