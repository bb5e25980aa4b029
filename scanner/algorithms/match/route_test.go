package match

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
)

// Functions of one file, of 55 to 100 tokens each, with similar beginnings and ends.
var (
	goFuncs = []string{`func (b *Bitmap) Set(index uint32, value bool) error {
	if index >= b.length {
		return fmt.Errorf("set bit %d of %d", index, b.length)
	}
	if value {
		b.words[index/64] |= 1 << (index % 64)
	} else {
		b.words[index/64] &^= 1 << (index % 64)
	}
	return nil
}
`, `func (b *Bitmap) Union(other *Bitmap, grow bool) error {
	if other.length > b.length && !grow {
		return errShort
	}
	for len(b.words) < len(other.words) {
		b.words = append(b.words, 0)
	}
	for i, word := range other.words {
		b.words[i] |= word
		b.count += bits.OnesCount64(word)
	}
	return nil
}
`, `func (b *Bitmap) Encode(w io.Writer, order binary.ByteOrder) error {
	var head [8]byte
	order.PutUint32(head[:4], b.length)
	order.PutUint32(head[4:], uint32(len(b.words)))
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	return binary.Write(w, order, b.words)
}
`}
	pyFuncs = []string{`def load_index(path, encoding="utf-8", strict=True):
    entries = {}
    with open(path, encoding=encoding) as stream:
        for number, line in enumerate(stream):
            key, _, value = line.partition("=")
            if strict and not value:
                raise IndexError_(path, number)
            entries[key.strip()] = value.strip()
    return entries
`, `def save_index(path, entries, encoding="utf-8"):
    ordered = sorted(entries.items(), key=lambda e: e[0])
    temporary = path + ".new"
    with open(temporary, "w", encoding=encoding) as stream:
        for key, value in ordered:
            stream.write(key + "=" + value + "\n")
        stream.flush()
    os.replace(temporary, path)
    return len(ordered)
`, `def merge_index(first, second, keep="first"):
    merged = dict(first)
    conflicts = []
    for key, value in second.items():
        if key not in merged:
            merged[key] = value
        elif merged[key] != value:
            conflicts.append((key, merged[key], value))
            if keep != "first":
                merged[key] = value
    return merged, conflicts
`}
	getters = []string{`func (c *Config) Timeout(ctx context.Context) (time.Duration, error) {
	text, ok := c.values["timeout"]
	if !ok {
		return 0, errMissing
	}
	return time.ParseDuration(text)
}
`, `func (c *Config) Endpoint(ctx context.Context) (url.URL, error) {
	raw, found := c.values["endpoint"]
	if !found {
		return 0, errMissing
	}
	return url.Parse(raw)
}
`, `func (c *Config) Replicas(ctx context.Context) (quorum.Size, error) {
	number, given := c.values["replicas"]
	if !given {
		return 0, errMissing
	}
	return quorum.Of(number)
}
`}
	// siblings differ in names and values only
	siblings = []string{`export class NameLengthError extends BaseError {
  constructor({ expected, given }) {
    super(["Name has the wrong length.", "Expected: " + expected, "Given: " + given].join("\n"))
    this.name = "NameLengthError"
    this.expected = expected
    this.given = given
    this.details = []
  }
}
`, `export class DataSizeError extends BaseError {
  constructor({ minimum, actual }) {
    super(["Data is too small.", "Minimum: " + minimum, "Actual: " + actual].join("\n"))
    this.name = "DataSizeError"
    this.minimum = minimum
    this.actual = actual
    this.context = []
  }
}
`, `export class TopicCountError extends BaseError {
  constructor({ topics, params }) {
    super(["Topics do not fit.", "Topics: " + topics, "Params: " + params].join("\n"))
    this.name = "TopicCountError"
    this.topics = topics
    this.params = params
    this.related = []
  }
}
`}
)

func read(t *testing.T, language, text string) Side {
	t.Helper()
	z := lang.NewTokenizer(lang.Limits{})
	defer z.Close()
	l := lang.ByName(language)
	if l == nil {
		t.Fatalf("no language %q", language)
	}
	toks, err := z.Tokenize(l, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Side{Text: []byte(text), Tokens: slices.Clone(toks.Tokens)}
}

// renamed gives each name of a text another, one to one.
func renamed(t *testing.T, language, text string) string {
	var b strings.Builder
	s, at := read(t, language, text), uint32(0)
	names := make(map[string]string)
	for i, tok := range s.Tokens {
		if tok.Class == lang.Identifier {
			name := string(s.TextAt(uint32(i)))
			if names[name] == "" {
				names[name] = fmt.Sprintf("name%d", len(names))
			}
			b.WriteString(text[at:tok.Start] + names[name])
			at = tok.End
		}
	}
	return b.String() + text[at:]
}

// texts returns the texts from the first to the last token of the matches, by target.
func texts(target, origin Side, ms []Match) (out [][2]string) {
	slices.SortFunc(ms, func(a, b Match) int { return int(a.Runs[0].Target) - int(b.Runs[0].Target) })
	for _, m := range ms {
		t0, t1 := m.Target()
		o0, o1 := m.Origin()
		out = append(out, [2]string{
			string(target.Text[target.Tokens[t0].Start:target.Tokens[t1-1].End]),
			string(origin.Text[origin.Tokens[o0].Start:origin.Tokens[o1-1].End])})
	}
	return out
}

// TestReordered: functions pasted in another order are found one by one. No token is matched with a neighbour of its function,
// although their beginnings and ends are alike.
func TestReordered(t *testing.T) {
	for _, c := range []struct {
		name, language string
		funcs          []string
		order          []int
		rename         bool
	}{
		{"go", "go", goFuncs, []int{2, 1, 0}, false},
		{"go, renamed", "go", goFuncs, []int{2, 1, 0}, true},
		{"python", "python", pyFuncs, []int{2, 1, 0}, false},
		{"python, renamed", "python", pyFuncs, []int{2, 1, 0}, true},
		{"two swapped", "go", goFuncs, []int{1, 0}, false},
		{"one out of its turn", "go", goFuncs, []int{0, 2, 1}, false},
		{"a sibling", "javascript", siblings, []int{1}, false},
		{"a short sibling", "go", getters, []int{2}, false},
	} {
		var want [][2]string
		src := ""
		for _, i := range c.order {
			text := c.funcs[i]
			if c.rename {
				text = renamed(t, c.language, text)
			}
			src += text + "\n"
			want = append(want, [2]string{strings.TrimSpace(text), strings.TrimSpace(c.funcs[i])})
		}
		fp := fingerprint.Params{K: 20, W: 12}
		target, origin := read(t, c.language, src), read(t, c.language, strings.Join(c.funcs, "\n"))
		p := Defaults(fp.K)
		p.Least = 55
		ms, _ := Find(target, origin, seedsOf(target, origin, fp, 0), p)
		if got := texts(target, origin, ms); !slices.Equal(got, want) {
			t.Errorf("%s: %s", c.name, differ(got, want))
		}
	}
}

func differ(got, want [][2]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d matches, want %d", len(got), len(want))
	for i, g := range got {
		if i >= len(want) || g != want[i] {
			fmt.Fprintf(&b, "\n--- match %d in the target\n%s\n--- in the origin\n%s", i, g[0], g[1])
		}
	}
	return b.String()
}

// TestEditedIsNoSibling: a copy of an edited function is one match, although its sibling may share more at the place of an edit.
func TestEditedIsNoSibling(t *testing.T) {
	fp := fingerprint.Params{K: 20, W: 12}
	first := goFuncs[1]
	second := strings.NewReplacer("Union", "Intersect", "|= word", "&= word", "b.count += bits.OnesCount64(word)", "b.count -= bits.OnesCount64(word)", "len(b.words) <", "len(b.words) >").Replace(first)
	edited := strings.Replace(first, "\tfor i, word := range other.words {\n", "\tlog.Print(other.length)\n\tfor i, word := range other.words {\n", 1)
	target, origin := read(t, "go", edited), read(t, "go", second+first)
	p := Defaults(fp.K)
	p.Least = 55
	ms, _ := Find(target, origin, seedsOf(target, origin, fp, 0), p)
	got := texts(target, origin, ms)
	if want := [2]string{strings.TrimSpace(edited), strings.TrimSpace(first)}; len(got) != 1 || got[0] != want {
		t.Error(differ(got, [][2]string{want}))
	}
}

// TestShortLeg: a segment too short for a finding takes no tokens from a long run. Here its names would justify it.
func TestShortLeg(t *testing.T) {
	target := read(t, "javascript", "x = f(alpha, beta, gamma, delta)\ny = g(epsilon, zeta, eta, theta, iota)\n")
	other := "q = r(one, two, three, four)\ny = g(five, six, seven, eight, nine)\n"
	origin := read(t, "javascript", "x = f(alpha, beta, gamma, delta)\ny = g(epsilon, zeta, 7)\n"+other)
	runs := []Run{{0, 0, 19}, {0, uint32(len(origin.Tokens) - len(target.Tokens)), uint32(len(target.Tokens))}}
	for _, c := range []struct {
		least int
		want  uint32
	}{{10, 0}, {len(target.Tokens), runs[1].Origin}} {
		p := Params{MinRun: 12, MaxGap: 60, MinFit: 10, Least: c.least}
		Contested(runs)
		ms := Arrange(target, origin, slices.Clone(runs), p)
		if len(ms) == 0 || ms[0].Runs[0].Origin != c.want {
			t.Errorf("matches of at least %d tokens: %v, want the first from %d on", c.least, ms, c.want)
		}
	}
}

// TestLeast: each run of t tokens has tokens in a match of t tokens. It is not divided between matches that are each too short.
func TestLeast(t *testing.T) {
	p := smallParams()
	examples(t, 1400, func(e example) {
		ms, whole := Find(e.target, e.origin, seedsOf(e.target, e.origin, small, 0), p)
		if !whole {
			return
		}
		has := make([]bool, len(e.target.Tokens))
		for _, m := range ms {
			for _, r := range m.Runs {
				for i := range r.Len {
					has[r.Target+i] = m.Tokens() >= p.Least
				}
			}
		}
		for _, r := range trueRuns(e.target, e.origin, p.Least) {
			if !slices.Contains(has[r.Target:r.TargetEnd()], true) {
				t.Errorf("%s: %v is in no match of %d tokens: %v", e.name, r, p.Least, ms)
			}
		}
	})
}
