package report_test

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report"
	"github.com/git-provenance/git-provenance/scanner/report/text"
	"github.com/git-provenance/git-provenance/scanner/similar"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func pairsSchema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile("../../docs/schema/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validPairs encodes a result as the program does and holds it to the schema.
func validPairs(t *testing.T, s *jsonschema.Schema, write func(*bytes.Buffer) error) error {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

func fullPairs() *similar.Result {
	r := hostilePairs()
	r.Parameters.Sort, r.Query = similar.BySimilarity, "b"
	r.Pairs[0].Similarity = 0.5
	r.Pairs[0].Beside = []similar.Beside{{A: "x", Text: finding.Sides{Target: finding.Excerpt{StartLine: 1, Lines: []string{"a"}}, Origin: finding.Excerpt{StartLine: 1, Lines: []string{}}}}}
	r.Common = []similar.Common{{Units: []string{"a", "b", "c"}, Tokens: 40, Code: []similar.Stretch{{Path: "x", StartLine: 1, EndLine: 2}}}}
	r.Sets = &similar.Sets{A: 1, B: 2, Sampled: 1}
	r.Parameterized = &similar.Parameterized{Matches: []similar.Renaming{{Shared: similar.Shared{A: similar.Stretch{Path: "x", StartLine: 1, EndLine: 1}, B: similar.Stretch{Path: "y", StartLine: 1, EndLine: 1}}}}}
	r.Maximal = &similar.Maximal{Matches: []similar.Shared{{A: similar.Stretch{Path: "x", StartLine: 1, EndLine: 1}, B: similar.Stretch{Path: "y", StartLine: 1, EndLine: 1}, Tokens: 9}}, SharedA: 9, SharedB: 9, Whole: true}
	for i := range r.Pairs[0].Files {
		for j := range r.Pairs[0].Files[i].Matches {
			m := &r.Pairs[0].Files[i].Matches[j]
			m.CloneType = max(m.CloneType, 1)
			m.Runs = append([]finding.Run{}, m.Runs...)
		}
	}
	return r
}

func TestSchemaOfPairs(t *testing.T) {
	s := pairsSchema(t, "git-provenance-similar-1.schema.json")
	write := func(r *similar.Result) func(*bytes.Buffer) error {
		return func(b *bytes.Buffer) error { return report.Pairs(b, r, "json", text.Options{}) }
	}
	if err := validPairs(t, s, write(fullPairs())); err != nil {
		t.Error(err)
	}
	alone := fullPairs()
	if alone.Parameters.Sort = similar.ByAlone; validPairs(t, s, write(alone)) != nil {
		t.Error("a result that --sort alone ordered is refused")
	}
	for name, spoil := range map[string]func(*similar.Result){
		"schema": func(r *similar.Result) { r.Schema = "git-provenance-similar/2" },
		"share":  func(r *similar.Result) { r.Pairs[0].ShareA = 1.5 },
		"order":  func(r *similar.Result) { r.Parameters.Sort = "name" },
		"line":   func(r *similar.Result) { r.Common[0].Code[0].StartLine = 0 },
		"tenths": func(r *similar.Result) { r.Distribution = []int{1} },
		"files":  func(r *similar.Result) { r.Pairs[0].Files = nil },
	} {
		r := fullPairs()
		spoil(r)
		if validPairs(t, s, write(r)) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	k := pairsSchema(t, "git-provenance-clusters-1.schema.json")
	c := &similar.Clusters{Schema: similar.ClusterSchema, Resemblance: 0.5, Clusters: []similar.Cluster{{Representative: "a", Members: []similar.Member{{Path: "a", Resemblance: 1, Equal: true}}}}, Ledger: []finding.Entry{}}
	clusters := func(b *bytes.Buffer) error { return report.Clusters(b, c, "json", text.Options{}) }
	if err := validPairs(t, k, clusters); err != nil {
		t.Error(err)
	}
	c.Resemblance = 2
	if validPairs(t, k, clusters) == nil {
		t.Error("a resemblance of 2 is accepted")
	}
}

// TestSchemaNamesEveryField holds the schemas to the types that are written.
func TestSchemaNamesEveryField(t *testing.T) {
	for file, v := range map[string]any{"git-provenance-similar-1.schema.json": similar.Result{}, "git-provenance-clusters-1.schema.json": similar.Clusters{}} {
		for _, f := range fieldsOf(reflect.TypeOf(v), nil) {
			if !strings.Contains(readSchema(t, file), `"`+f+`"`) {
				t.Errorf("%s lacks %q", file, f)
			}
		}
	}
}

func fieldsOf(t reflect.Type, out []string) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return out
	}
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && !slices.Contains(out, name) {
			out = fieldsOf(f.Type, append(out, name))
		}
	}
	return out
}

func readSchema(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile("../../docs/schema/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
