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
	"github.com/git-provenance/git-provenance/lang/langtest"
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

// TestPages: the code in the scripts of a page is compared with code, on both sides, at the lines of the page.
func TestPages(t *testing.T) {
	code := samples(t, "javascript.js", "export function merge(", "// END fragment")
	typed := samples(t, "typescript.ts", "export function schedule", "// END fragment")
	for path, page := range map[string]string{
		"a.vue":       "<template>\n  <p class=\"x\">{{ merged }}</p>\n</template>\n\n<script setup lang=\"ts\">\nconst own = 1;\n" + typed + "</script>\n",
		"b.vue":       "<script>\n" + code + "export default {};\n</script>\n<style>p { color: red }</style>\n",
		"c.svelte":    "<script context=\"module\">\n" + code + "</script>\n{#if merged}<p>{merged}</p>{/if}\n",
		"d.html":      "<!DOCTYPE html>\n<html><body>\n<script type=\"module\">\n" + code + "</script>\n</body></html>\n",
		"e/page.html": "<html><body>\n<SCRIPT>\n" + code + "</SCRIPT>\n" + strings.Repeat("<p>A page of some length.</p>\n", 30) + "</body></html>\n",
	} {
		lines := strings.SplitAfter(page, "\n")
		of, name, function := code, "merge.js", "merge"
		if path == "a.vue" {
			of, name, function = typed, "schedule.ts", "schedule"
		}
		b := based(t, pack{"pkg:generic/theirs@1", "MIT", "2020-01-01", files{name: of}})
		f := one(t, tree(t, scan(t, scanner.Options{}, b), files{path: page}.dir(t)))
		if !strings.Contains(lines[f.StartLine-1], "function "+function) || f.EndLine-f.StartLine < strings.Count(of, "\n")-3 || path != "a.vue" && (f.Function == nil || f.Function.Name != function) {
			t.Errorf("%s: lines %d-%d in %+v, from %q", path, f.StartLine, f.EndLine, f.Function, lines[f.StartLine-1])
		}
		back := based(t, pack{"pkg:generic/page@1", "MIT", "2020-01-01", files{path: page}})
		f = one(t, tree(t, scan(t, scanner.Options{}, back), files{name: of}.dir(t)))
		if o := f.Origins[0]; o.Path != path || !strings.Contains(lines[o.StartLine-1], "function "+function) {
			t.Errorf("%s as origin: %+v", path, o)
		}
	}
	filler := "<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad " +
		"minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat. Duis aute irure dolor in reprehenderit.</p>\n"
	ours := "<template><div>\n" + filler + "</div></template>\n<script>\nexport default { name: 'ours' };\n</script>\n"
	theirs := "<script>\nlet theirs = [1, 2];\n</script>\n<section>" + filler + "</section>\n"
	none(t, tree(t, scan(t, scanner.Options{}, based(t, pack{"pkg:generic/theirs@1", "MIT", "2020-01-01", files{"A.svelte": theirs}})), files{"A.vue": ours}.dir(t)))
	document := "<html><body><script>\n" + code + "</script>\n" + strings.Repeat("<p>A document of much more than ten times the length.</p>\n", 300) + "</body></html>\n"
	r := tree(t, scan(t, scanner.Options{}, based(t, pack{"pkg:generic/theirs@1", "MIT", "2020-01-01", files{"merge.js": code}})), files{"f.html": document}.dir(t))
	if len(r.Findings) != 0 || len(r.Ledger) != 1 || r.Ledger[0].Reason != lang.Scripts {
		t.Errorf("%d findings, ledger %+v", len(r.Findings), r.Ledger)
	}
}

// samples returns a piece of a sample of package langtest.
func samples(t *testing.T, name, from, to string) string {
	t.Helper()
	for _, s := range langtest.Samples(t) {
		if s.Name == name {
			_, piece, ok := strings.Cut(string(s.Source), from)
			if piece, _, found := strings.Cut(piece, to); ok && found {
				return from + piece
			}
		}
	}
	t.Fatalf("no piece of %s begins with %q", name, from)
	return ""
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
