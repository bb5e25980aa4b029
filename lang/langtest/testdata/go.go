// BEGIN imports
package ledger

import (
	"errors"
	"fmt"

	text "strings"
)

// END imports

/* A ledger keeps
   what was booked. */

// Kind is what an entry stands for.
type Kind uint8

const (
	Debit Kind = iota
	Credit
	limit = 0x1_00 + 0b11 - 0o17
	ratio = 1.5e-3
	phase = 2i
)

var errEmpty = errors.New("ledger: no entries")

type entry[T any] struct {
	name  string
	value T `json:"value,omitempty"`
	next  *entry[T]
	open  bool
}

// BEGIN fragment
func (l *Ledger) balance(names []string, start int) (sum int, err error) {
	if l == nil || len(names) == 0 {
		return 0, errEmpty
	}
	sum = start
	for i, name := range names { // in the order given
		e, ok := l.entries[text.ToLower(name)]
		switch {
		case !ok:
			return sum, fmt.Errorf("entry %d: no %q", i, name)
		case e.open && e.value > limit:
			sum -= e.value << 1
		default:
			sum += e.value &^ 3
		}
	}
	return sum, nil
}

// END fragment

type Ledger struct {
	entries map[string]*entry[int]
	done    chan struct{}
}

func (l *Ledger) watch(events <-chan rune) {
	raw := `a raw
string`
	go func() {
		defer close(l.done)
		for r := range events {
			if r == 'x' || r == '\n' {
				continue
			}
			l.entries[raw+string(r)] = &entry[int]{value: 1, open: true}
		}
	}()
	select {
	case <-l.done:
	case r := <-events:
		_ = r != 0 && false
	}
}
