package scanner_test

import (
	"crypto/sha1"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner"
)

// cells is a notebook as Jupyter writes it: each line of code is a line of the file.
func cells(t *testing.T, sources ...string) string {
	t.Helper()
	var out []any
	for _, s := range sources {
		kind := "code"
		if strings.HasPrefix(s, "# ") {
			kind = "markdown"
		}
		out = append(out, map[string]any{"cell_type": kind, "execution_count": 1, "metadata": map[string]any{}, "outputs": []string{}, "source": strings.SplitAfter(s, "\n")})
	}
	js, err := json.MarshalIndent(map[string]any{"cells": out, "metadata": map[string]any{"kernelspec": map[string]string{"language": "go"}}, "nbformat": 4}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(js) + "\n"
}

// TestNotebook: the code of a notebook is compared with code, and a finding tells the lines and bytes of the file. Metadata that the
// format fixes is no evidence.
func TestNotebook(t *testing.T) {
	code := std(t, "strings/replace.go")
	at := strings.Index(code, "type trieNode")
	copied := code[at : at+strings.Index(code[at:], "\ntype genericReplacer")]
	book := cells(t, "# Theirs, at length", "%cd /tmp\nvar mine = 1", copied, "func after() { return }")
	b := based(t, pack{"pkg:generic/theirs@1", "MIT", "2020-01-01", files{"replace.go": code}})
	f := one(t, tree(t, scan(t, scanner.Options{}, b), files{"a.ipynb": book, "b.ipynb": cells(t, "# Ours", "var other = 2")}.dir(t)))
	if f.Path != "a.ipynb" || f.Language != "go" || f.FileSHA1 != fmt.Sprintf("%x", sha1.Sum([]byte(book))) {
		t.Errorf("%+v", f)
	}
	lines := strings.SplitAfter(book, "\n")
	if part := book[f.StartByte:f.EndByte]; part != strings.Join(lines[f.StartLine-1:f.EndLine], "") || !strings.Contains(lines[f.StartLine-1], "type trieNode") {
		t.Errorf("lines %d-%d begin with %q, bytes with %.60q", f.StartLine, f.EndLine, lines[f.StartLine-1], part)
	}
	back := based(t, pack{"pkg:generic/book@1", "MIT", "2020-01-01", files{"a.ipynb": book}})
	f = one(t, tree(t, scan(t, scanner.Options{}, back), files{"replace.go": code}.dir(t)))
	if o := f.Origins[0]; o.Path != "a.ipynb" || !strings.Contains(lines[o.StartLine-1], "type trieNode") {
		t.Errorf("origin %+v", o)
	}
	r := tree(t, scan(t, scanner.Options{}, back), files{"c.ipynb": book[:len(book)/2], "d.ipynb": cells(t, "# Words alone")}.dir(t))
	for i, want := range []string{"c.ipynb: read as words, since it is no notebook: unexpected EOF", "d.ipynb: "} {
		if e := r.Ledger[i]; e.Path+": "+e.Detail != want || e.Reason != lang.Notebook {
			t.Errorf("ledger %+v, want %s", e, want)
		}
	}
}

// TestStoredAsUTF16: a copy that an editor on Windows stored is found, on both sides.
func TestStoredAsUTF16(t *testing.T) {
	code := std(t, "strings/replace.go")
	stored := binary.LittleEndian.AppendUint16(nil, 0xfeff)
	for _, u := range utf16.Encode([]rune(strings.ReplaceAll(code, "\n", "\r\n"))) {
		stored = binary.LittleEndian.AppendUint16(stored, u)
	}
	for _, c := range [][2]string{{code, string(stored)}, {string(stored), code}} {
		b := based(t, pack{"pkg:generic/theirs@1", "MIT", "2020-01-01", files{"replace.go": c[0]}})
		r := tree(t, scan(t, scanner.Options{}, b), files{"mine.go": c[1]}.dir(t))
		f := one(t, r)
		if n := strings.Count(code, "\n"); f.EndLine < n-2 || f.Origins[0].EndLine != f.EndLine || f.FileShare < 0.95 || f.FileSHA1 != fmt.Sprintf("%x", sha1.Sum([]byte(c[1]))) {
			t.Errorf("%d-%d of %d lines, share %v, ledger %v", f.StartLine, f.EndLine, n, f.FileShare, r.Ledger)
		}
		if part := strings.ReplaceAll(c[1][f.EndByte-8:f.EndByte], "\x00", ""); !strings.HasSuffix(part, "}") {
			t.Errorf("the region ends with %q", part)
		}
	}
}
