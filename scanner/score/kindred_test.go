package score

import (
	"fmt"
	"strings"
	"testing"
)

const keeper = `package keep

type Store struct {
	_clock IClock
	_mail  IMail
	_queue IQueue
}

func New(clock IClock, mail IMail, queue IQueue) *Store {
	s := &Store{}
	s._clock = clock
	s._mail = mail
	s._queue = queue
	return s
}
`

// TestKindred: the same constructor with another type has renames in three places, which count as one.
func TestKindred(t *testing.T) {
	origin := golang(t, keeper)
	bits := func(pairs ...string) float64 {
		target := golang(t, rename(keeper, pairs...))
		return EvidenceOf(target, origin, only(t, target, origin), newCosts(DefaultWeights(), target, nil, nil, isName)).Map
	}
	alike := bits("_clock", "_paper", "IClock", "IPaper", "clock", "paper", "_mail", "_press", "IMail", "IPress", "mail", "press", "_queue", "_drawer", "IQueue", "IDrawer", "queue", "drawer")
	apart := bits("_clock", "_paper", "IClock", "Reader", "clock", "from", "_mail", "_press", "IMail", "Writer", "mail", "to", "_queue", "_drawer", "IQueue", "Closer", "queue", "last")
	if alike > apart/2 {
		t.Errorf("%.1f bits for three things renamed, %.1f for nine names", alike, apart)
	}
}

// TestKindredScoped: a fork calls everything of a shop by another word. In C that is how a class is renamed, with all its functions. Where
// functions have scopes, each name is a rename of its own.
func TestKindredScoped(t *testing.T) {
	const shop = `package shop

func fillBasket(basketRows []Row, basketLimit int) *FullBasket {
	out := newBasketOf(basketLimit)
	for _, basketRow := range basketRows {
		out.addBasketRow(basketRow, sumOfBasket(out))
	}
	return out.closedBasket()
}
`
	origin := golang(t, shop)
	target := golang(t, strings.NewReplacer("basket", "trolley", "Basket", "Trolley").Replace(shop))
	bits := func(scoped bool) float64 {
		target.Scoped = scoped
		return EvidenceOf(target, origin, only(t, target, origin), newCosts(DefaultWeights(), target, nil, nil, isName)).Map
	}
	if of, in := bits(true), bits(false); of < 3*in {
		t.Errorf("%.1f bits where functions have scopes, %.1f in C", of, in)
	}
}

// bean is a class in Java that has a field, its getter and its setter for each pair of a type and a name.
func bean(fields ...string) string {
	var b strings.Builder
	b.WriteString("class Bean {\n")
	for i := 0; i < len(fields); i += 2 {
		typ, name := fields[i], fields[i+1]
		upper := strings.ToUpper(name[:1]) + name[1:]
		fmt.Fprintf(&b, "  public %s get%s() {\n    return %s;\n  }\n\n  public void set%s(%s %s) {\n    this.%s = %s;\n  }\n\n", typ, upper, name, upper, typ, name, name, name)
	}
	return b.String() + "}\n"
}

// TestAccessors: a getter and a setter have the name of their field, so that they are evidence of one rename. Names that do not follow from
// others count.
func TestAccessors(t *testing.T) {
	there := bean("BigInteger", "total", "List<Row>", "rows")
	origin := side(t, "java", there)
	bits := func(text string) float64 {
		target := side(t, "java", text)
		target.Scoped = true
		return EvidenceOf(target, origin, only(t, target, origin), newCosts(DefaultWeights(), target, nil, nil, isName)).Map
	}
	fields := bits(bean("Long", "id", "Set<Role>", "roles"))
	apart := bits(rename(there, "BigInteger", "Long", "total", "id", "getTotal", "give", "setTotal", "take", "List", "Set", "Row", "Role", "rows", "roles", "getRows", "find", "setRows", "store"))
	if want := apart - 3*DefaultWeights().Renamed; fields > want {
		t.Errorf("%.1f bits for two fields renamed, %.1f if getters and setters have names of their own; at most %.1f expected", fields, apart, want)
	}
}

// records returns settings of one kind, with keys that many packages use.
func records(values ...string) string {
	var b strings.Builder
	b.WriteString("package settings\n\nvar moved = []Redirect{\n")
	for _, v := range values {
		fmt.Fprintf(&b, "\t{sourcePath: \"/%[1]s\", destinationPath: \"/docs/%[1]s\", permanentMove: true},\n", v)
	}
	return b.String() + "}\n"
}

// TestRecords: keys that each record repeats are evidence once.
func TestRecords(t *testing.T) {
	bits := func(here, there string) float64 {
		target, origin := golang(t, here), golang(t, there)
		e := EvidenceOf(target, origin, only(t, target, origin), newCosts(DefaultWeights(), target, nil, nil, isName))
		if e.Names == 0 {
			t.Fatal("the keys are nobody's")
		}
		return e.Verbatim
	}
	few := bits(records("a", "b"), records("x", "y"))
	many := bits(records("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"), records("m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x"))
	if many > few/2 {
		t.Errorf("%.1f bits for twelve records, %.1f for two", many, few)
	}
}

// TestAbbreviations: equal names of three letters are no evidence of a copy.
func TestAbbreviations(t *testing.T) {
	for text, want := range map[string]bool{
		rename(original, "siftDown", "sft", "child", "chd", "limit", "lim", "start", "sta", "HeapSort", "hps", "data", "dat", "root", "rot", "Println", "Prt"): false,
		original: true,
	} {
		side := golang(t, text)
		if e := EvidenceOf(side, side, only(t, side, side), newCosts(DefaultWeights(), side, nil, nil, isName)); e.Verbatim > 0 != want {
			t.Errorf("%.1f bits:\n%s", e.Verbatim, text)
		}
	}
}
