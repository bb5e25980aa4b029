package likeness_test

import (
	"fmt"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner/similar/likeness"
)

func Example() {
	tz := lang.NewTokenizer(lang.Limits{})
	defer tz.Close()
	var programs []likeness.Program
	for _, src := range []string{
		`def area(r): return 3.14159 * r * r`,
		`def surface(radius): return radius * radius * 3.14159`,
		`def greet(name): print("hello", name)`,
	} {
		s, err := tz.Tokenize(lang.ByName("python"), []byte(src))
		if err != nil {
			fmt.Println(err)
			return
		}
		programs = append(programs, likeness.NewProgram([]likeness.File{{Language: lang.ByName("python"), Text: []byte(src), Tokens: s.Tokens}}))
	}
	s := likeness.NewSet(programs)
	fmt.Printf("%.2f %.2f\n", s.Beyond(0, 1, s.Both(0, 1)), s.Beyond(0, 2, s.Both(0, 2)))
	// Output: 0.68 0.39
}
