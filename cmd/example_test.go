package cmd_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/cmd"
)

func ExampleMain() {
	none := func(string) (string, bool) { return "", false }
	var out, errs bytes.Buffer
	code := cmd.Main(context.Background(), []string{"scan", "--no-such-flag"}, none, cmd.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	fmt.Println(code, out.Len())
	fmt.Print(errs.String())
	// Output:
	// 2 0
	// git-provenance: unknown flag: --no-such-flag
	// hint: "git-provenance scan --help" tells how it is used
}
