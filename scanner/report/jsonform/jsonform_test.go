package jsonform_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/escape"
	"github.com/git-provenance/git-provenance/scanner/report/internal/reporttest"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const schemaFile = "../../../docs/schema/git-provenance-1.schema.json"

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, js []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(js))
	if err != nil {
		t.Fatal(err)
	}
	return schema(t).Validate(v)
}

func TestSchemaAcceptsReports(t *testing.T) {
	bare := &finding.Report{Schema: finding.Schema, Parameters: finding.Parameters{K: 1, W: 1, T: 1}, Target: finding.Target{Kind: "tree"}}
	for name, r := range map[string]*finding.Report{"full": reporttest.Example(), "bare": bare} {
		js := reporttest.Encode(t, r)
		if err := validate(t, js); err != nil {
			t.Errorf("%s: %v\n%s", name, err, js)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	for name, spoil := range map[string]func(*finding.Report){
		"schema":     func(r *finding.Report) { r.Schema = "git-provenance/2" },
		"kind":       func(r *finding.Report) { r.Target.Kind = "tag" },
		"line 0":     func(r *finding.Report) { r.Findings[0].StartLine = 0 },
		"score":      func(r *finding.Report) { r.Findings[0].Score = 1.01 },
		"clone type": func(r *finding.Report) { r.Findings[0].CloneType = 4 },
		"direction":  func(r *finding.Report) { r.Findings[0].Direction = "" },
		"no origin":  func(r *finding.Report) { r.Findings[0].Origins = nil },
		"purl":       func(r *finding.Report) { r.Findings[0].Origins[0].PURL = "zlib" },
		"no licence": func(r *finding.Report) { r.Findings[0].Origins[0].License = "" },
		"no reason":  func(r *finding.Report) { r.Ledger[0].Reason = "" },
	} {
		r := reporttest.Example()
		spoil(r)
		if validate(t, reporttest.Encode(t, r)) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestSchemaIsComplete holds the schema and the Go types to the same fields.
func TestSchemaIsComplete(t *testing.T) {
	full := make(map[string]bool)
	walkType(reflect.TypeFor[finding.Report](), "", full)
	described := make(map[string]bool)
	walkSchema(schema(t), "", described)
	for f := range full {
		if !described[f] {
			t.Errorf("the schema lacks %s", f)
		}
	}
	for f := range described {
		if !full[f] {
			t.Errorf("the schema describes %s, which no report has", f)
		}
	}
}

func walkType(t reflect.Type, at string, out map[string]bool) {
	switch {
	case t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice:
		walkType(t.Elem(), at, out)
	case t.Kind() == reflect.Struct && t != reflect.TypeFor[time.Time]():
		for f := range t.Fields() {
			if !f.IsExported() {
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "-" {
				continue
			}
			out[at+"/"+name] = true
			walkType(f.Type, at+"/"+name, out)
		}
	}
}

func walkSchema(s *jsonschema.Schema, at string, out map[string]bool) {
	for s.Ref != nil && len(s.Properties) == 0 {
		s = s.Ref
	}
	if s.Items2020 != nil {
		walkSchema(s.Items2020, at, out)
	}
	for name, p := range s.Properties {
		out[at+"/"+name] = true
		walkSchema(p, at+"/"+name, out)
	}
}

func TestReadIsJSONsInverse(t *testing.T) {
	js := reporttest.Encode(t, reporttest.Example())
	r, err := jsonform.Read(bytes.NewReader(js))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(r, reporttest.Example()) {
		t.Errorf("read back %+v", r)
	}
	if again := reporttest.Encode(t, r); !bytes.Equal(again, js) {
		t.Errorf("written again:\n%s", again)
	}
}

func TestReadRefuses(t *testing.T) {
	var schema *jsonform.SchemaError
	for _, in := range []string{`{}`, `{"schema": "git-provenance/2"}`, `{"schema": ""}`} {
		if _, err := jsonform.Read(strings.NewReader(in)); !errors.As(err, &schema) {
			t.Errorf("%s: %v", in, err)
		}
	}
	js := string(reporttest.Encode(t, reporttest.Example()))
	for _, in := range []string{"", "[]", js[:len(js)/2], js + "{}", strings.Replace(js, `"files": 12`, `"files": "12"`, 1)} {
		if _, err := jsonform.Read(strings.NewReader(in)); err == nil || errors.As(err, &schema) {
			t.Errorf("%.40q: %v", in, err)
		}
	}
}

func TestReadIgnoresLaterFields(t *testing.T) {
	js := strings.Replace(string(reporttest.Encode(t, reporttest.Example())), `"score"`, `"later": {"a": [1]}, "score"`, 1)
	if _, err := jsonform.Read(strings.NewReader(js)); err != nil {
		t.Error(err)
	}
	if err := validate(t, []byte(js)); err != nil {
		t.Error(err)
	}
}

func TestJSONLeavesItsInputAlone(t *testing.T) {
	r := &finding.Report{Schema: finding.Schema, Findings: []finding.Finding{{}}}
	reporttest.Encode(t, r)
	if r.Ledger != nil || r.Findings[0].Runs != nil {
		t.Error("lists were filled in place")
	}
}

// TestJSONEscapes checks that no character a terminal obeys is written as it is,
// and that none is lost.
func TestJSONEscapes(t *testing.T) {
	const evil = "a\x1b[31m\u009b\u202e\u2066\u007f\u2028\n\U000e0041é"
	r := reporttest.Example()
	r.Findings[0].Path = evil
	js := reporttest.Encode(t, r)
	for _, c := range string(js) {
		if c != '\n' && escape.Line(string(c)) != string(c) {
			t.Errorf("%U is written as it is", c)
		}
	}
	var back finding.Report
	if err := json.Unmarshal(js, &back); err != nil || back.Findings[0].Path != evil {
		t.Errorf("read back %q, %v", back.Findings[0].Path, err)
	}
}
