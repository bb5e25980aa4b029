package papers

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// sample is a part of the Go distribution.
var sample = sync.OnceValues(func() (*corpus, error) {
	dirs, err := below("archive", "bufio", "bytes", "compress", "container", "crypto", "database", "encoding", "go", "image", "math", "net", "os", "sort", "strings", "text", "time")
	if err != nil {
		return nil, err
	}
	c, err := read(context.Background(), dirs, 250)
	if err == nil {
		c.trials, c.orders = 20, 24
	}
	return c, err
})

// below names directories of the Go distribution.
func below(dirs ...string) (out []string, err error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	for _, d := range dirs {
		out = append(out, filepath.Join(strings.TrimSpace(string(root)), "src", d))
	}
	return out, err
}

func run(t *testing.T, experiment func(context.Context, *corpus) (outcome, error)) outcome {
	t.Helper()
	if testing.Short() {
		t.Skip("reads a part of the Go distribution")
	}
	c, err := sample()
	if err != nil {
		t.Skipf("no Go distribution: %v", err)
	}
	if len(c.docs) < 250 {
		t.Fatalf("only %s", c)
	}
	o, err := experiment(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, ch := range o.charts {
		checkSVG(t, ch)
	}
	return o
}

// checkSVG reads a chart as XML, every number of which has to be one.
func checkSVG(t *testing.T, c chart) {
	t.Helper()
	b := c.encode()
	if !bytes.Equal(b, c.encode()) || bytes.Contains(b, []byte("NaN")) || bytes.Contains(b, []byte("Inf")) || !bytes.Contains(b, []byte("<polyline")) {
		t.Errorf("chart %s: %s", c.name, b)
	}
	for d := xml.NewDecoder(bytes.NewReader(b)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("chart %s: %v", c.name, err)
		}
	}
}

// cell is a number of a row that begins so.
func (o outcome) cell(t *testing.T, tab, column string, row ...string) float64 {
	t.Helper()
	for _, x := range o.tables {
		if x.name != tab {
			continue
		}
		for _, r := range x.rows {
			if strings.HasPrefix(strings.Join(r, "\t")+"\t", strings.Join(row, "\t")+"\t") {
				for i, h := range x.header {
					if h == column {
						v, err := strconv.ParseFloat(r[i], 64)
						if err != nil {
							t.Fatal(err)
						}
						return v
					}
				}
			}
		}
	}
	t.Fatalf("table %s has no column %q of a row %q", tab, column, row)
	return 0
}

func TestWinnowing(t *testing.T) {
	o := run(t, winnowing)
	for _, w := range []string{"2", "12", "100"} {
		want := o.cell(t, "winnowing-density", "2/(w+1)", w)
		if got := o.cell(t, "winnowing-density", "random hashes", w); math.Abs(got/want-1) > 0.02 {
			t.Errorf("w %s: density %v of random hashes, theory says %v", w, got, want)
		}
		if plain, robust := o.cell(t, "winnowing-density", "code, plain", w), o.cell(t, "winnowing-density", "code, robust", w); robust > plain || robust < want/2 {
			t.Errorf("w %s: density %v robust, %v plain", w, robust, plain)
		}
	}
	for _, of := range []string{"random", "code"} {
		for _, rule := range []string{"winnowing", "robust winnowing"} {
			if gap := o.cell(t, "winnowing-gaps", "largest gap", of, rule); gap > 100 {
				t.Errorf("%s of %s leaves a gap of %v", rule, of, gap)
			}
		}
		if gap := o.cell(t, "winnowing-gaps", "largest gap", of, "0 mod 50"); gap <= 200 {
			t.Errorf("0 mod 50 of %s leaves no gap above %v", of, gap)
		}
	}
	if o.cell(t, "winnowing-entropy", "plain", "one k-gram, repeated") < 0.9 || o.cell(t, "winnowing-entropy", "robust", "one k-gram, repeated") > 0.011 {
		t.Error("robust winnowing does not thin out what repeats itself")
	}
	if s := o.cell(t, "winnowing-ranks", "slope", "go"); s > -0.1 {
		t.Errorf("frequency falls with rank by a power of %v", s)
	}
}

func TestManber(t *testing.T) {
	o := run(t, manber)
	for row, least := range map[string]float64{"1": 20, "10": 20, "30": 20} {
		for _, r := range o.tables[0].rows {
			if r[2] == row {
				if n, _ := strconv.ParseFloat(r[4], 64); n < least || r[8] != "0" {
					t.Errorf("%s substitutions: %v", row, r)
				}
			}
		}
	}
}

func TestBroder(t *testing.T) {
	o := run(t, broder)
	rows := 0
	for _, r := range o.tables[0].rows {
		n, _ := strconv.ParseFloat(r[3], 64)
		got, _ := strconv.ParseFloat(r[4], 64)
		want, _ := strconv.ParseFloat(r[5], 64)
		bias, _ := strconv.ParseFloat(r[6], 64)
		if n < 100 {
			continue
		}
		rows++
		if got > 1.4*want+0.005 || math.Abs(bias) > 6*want/math.Sqrt(n)+0.005 {
			t.Errorf("%v: the error is not what theory says", r)
		}
	}
	if rows < 9 {
		t.Errorf("only %d rows have pairs enough", rows)
	}
}

// Near-duplicates of the library are clustered alike in any order.
func TestClusters(t *testing.T) {
	run(t, func(ctx context.Context, _ *corpus) (o outcome, err error) {
		dirs, err := below("sort", "slices", "hash", "crypto")
		if err != nil {
			return o, err
		}
		c, err := read(ctx, dirs, 1000)
		if err != nil {
			return o, err
		}
		o.clusters(c)
		for _, r := range o.tables[0].rows {
			if n, _ := strconv.Atoi(r[2]); r[5] != "true" || n < 1 {
				t.Errorf("clusters: %v", r)
			}
		}
		return o, nil
	})
}

func TestHeintze(t *testing.T) {
	o := run(t, heintze)
	get := func(column string, row ...string) float64 { return o.cell(t, "heintze", column, row...) }
	small, large := get("found by 3", "lowest hash", "100", "0.1"), get("found by 3", "lowest hash", "1000", "0.1")
	if large < small || large < 0.8 {
		t.Errorf("a query sketch of 1,000 finds %v, one of 100 %v", large, small)
	}
	plain, less := get("noise by 3", "lowest hash", "1000", "0.5"), get("noise by 3", "suppressed", "1000", "0.5")
	if less >= plain/2 {
		t.Errorf("noise %v with frequent k-grams suppressed, %v without", less, plain)
	}
	if f, s := get("found by 3", "lowest hash", "1000", "0.5"), get("found by 3", "suppressed", "1000", "0.5"); s < f-0.05 {
		t.Errorf("found %v with frequent k-grams suppressed, %v without", s, f)
	}
}

func TestKey(t *testing.T) {
	o := run(t, key)
	get := func(tab, column, row string) float64 { return o.cell(t, tab, column, row) }
	tuned := "tuned to the order without key"
	if got := get("key-hits", "pieces with a hit, without key", tuned); got != 0 {
		t.Errorf("tuned edits leave a hit in %v of the pieces", got)
	}
	if got := get("key-hits", "pieces with a hit, with key", tuned); got < 0.9 {
		t.Errorf("with a key tuned edits leave a hit in %v of the pieces", got)
	}
	if got := get("key-found", "found, with key", "tuned by scans without key"); got < 0.8 {
		t.Errorf("with a key a scan finds %v of the pieces that were tuned without", got)
	}
	// whatever the order, edits far enough apart leave a run of t tokens
	if got := get("key-hits", "pieces with a hit, with key", "every 31 tokens"); got != 1 {
		t.Errorf("edits every 31 tokens leave a hit in %v of the pieces", got)
	}
}

func TestBaker(t *testing.T) {
	o := run(t, baker)
	if got := o.cell(t, "baker-pairs", "also in constant matches from k", "go"); got != 1 {
		t.Errorf("constant names lose %v of what exact matching finds", 1-got)
	}
	exact, constant := o.cell(t, "baker", "exact", "go", "250", "20"), o.cell(t, "baker", "constant k", "go", "250", "20")
	if !(exact < constant) || o.cell(t, "baker", "constant k+8", "go", "250", "20") > exact {
		t.Errorf("exact k-grams meet in %v, constant ones in %v", exact, constant)
	}
}
