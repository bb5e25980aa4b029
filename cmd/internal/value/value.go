// Package value checks the values of flags when they are set, by the command line, the environment or the
// configuration.
package value

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/license"
)

// Checked is a flag's value that is checked when it is set.
type Checked[T any] struct {
	to    *T
	name  string // of the type, shown by help
	parse func(string) (T, error)
	show  func(T) string
}

func (v *Checked[T]) Type() string   { return v.name }
func (v *Checked[T]) String() string { return v.show(*v.to) }

func (v *Checked[T]) Set(s string) error {
	x, err := v.parse(s)
	if err == nil {
		*v.to = x
	}
	return err
}

// OneOf is one of the allowed values.
func OneOf(to *string, value string, allowed ...string) *Checked[string] {
	*to = value
	return &Checked[string]{to, "NAME", func(s string) (string, error) {
		if !slices.Contains(allowed, s) {
			return "", fmt.Errorf("must be %s", Alternatives(allowed))
		}
		return s, nil
	}, func(s string) string { return s }}
}

// Alternatives joins words with commas and "or".
func Alternatives(words []string) string {
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " or " + words[n]
}

// AtLeast is a whole number with a lower bound.
func AtLeast[N int | int64](to *N, value, low N) *Checked[N] {
	*to = value
	return &Checked[N]{to, "N", func(s string) (N, error) {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || int64(N(n)) != n || N(n) < low {
			return 0, fmt.Errorf("must be a whole number of at least %d", low)
		}
		return N(n), nil
	}, func(n N) string { return strconv.FormatInt(int64(n), 10) }}
}

// maxWorkers bounds --workers, since each takes memory. At most 256 files are processed at the same time.
const maxWorkers = 256

// Workers is a number of workers; 0 means one for each CPU.
func Workers(to *int) *Checked[int] {
	return &Checked[int]{to, "N", func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 || n > maxWorkers {
			return 0, fmt.Errorf("must be a whole number from 0 to %d", maxWorkers)
		}
		return n, nil
	}, strconv.Itoa}
}

// Suffixes is a list of ends of file names. Each use of the flag adds one.
func Suffixes(to *[]string) *List { return (*List)(to) }

// List is a pflag.SliceValue, so that the environment and the configuration file can have several.
type List []string

func (v *List) Type() string       { return "SUFFIX" }
func (v *List) String() string     { return strings.Join(*v, ", ") }
func (v *List) GetSlice() []string { return *v }

func (v *List) Set(s string) error {
	if s == "" || strings.ContainsAny(s, "*?[") {
		return fmt.Errorf("must be the end of a file's name such as .java, without wildcards")
	}
	*v = append(*v, s)
	return nil
}

func (v *List) Append(s string) error { return v.Set(s) }

func (v *List) Replace(all []string) error {
	*v = nil
	for _, s := range all {
		if err := v.Set(s); err != nil {
			return err
		}
	}
	return nil
}

// Share is a number from 0 to 1.
func Share(to *float64, value float64) *Checked[float64] {
	*to = value
	return &Checked[float64]{to, "X", func(s string) (float64, error) {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil || !(x >= 0 && x <= 1) {
			return 0, fmt.Errorf("must be a number from 0 to 1")
		}
		return x, nil
	}, func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }}
}

// Date is a date or a point in time.
func Date(to *time.Time) *Checked[time.Time] {
	return &Checked[time.Time]{to, "DATE", func(s string) (time.Time, error) {
		for _, layout := range []string{time.DateOnly, time.RFC3339} {
			if t, err := time.Parse(layout, s); err == nil {
				return t.UTC(), nil
			}
		}
		return time.Time{}, fmt.Errorf("must be a date such as 2006-01-02 or 2006-01-02T15:04:05Z")
	}, func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.Format(time.RFC3339)
	}}
}

// Licence is an SPDX licence expression.
func Licence(to *string) *Checked[string] {
	return &Checked[string]{to, "SPDX", func(s string) (string, error) {
		e := license.Expression(s)
		if e == license.NoAssertion && s != license.NoAssertion {
			return "", fmt.Errorf("must be an SPDX licence expression such as MIT or \"Apache-2.0 OR BSD-3-Clause\"")
		}
		return e, nil
	}, func(s string) string { return s }}
}
