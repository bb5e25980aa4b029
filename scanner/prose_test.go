package scanner_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/lang"
	"github.com/git-provenance/git-provenance/scanner"
)

// prose is the text of a long comment, in the form of a document.
func prose(t testing.TB, name string) string {
	t.Helper()
	text, _, ok := strings.Cut(std(t, name), "package ")
	if !ok {
		t.Fatal("no package comment")
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		out = append(out, strings.TrimPrefix(strings.Trim(line, "/* \t"), "// "))
	}
	_, rest, _ := strings.Cut(strings.Join(out, "\n"), "LICENSE file.\n")
	return strings.TrimSpace(rest) + "\n"
}

// TestProse: documentation is covered by its words, wherever its lines break.
func TestProse(t *testing.T) {
	doc := prose(t, "fmt/doc.go")
	parts := strings.SplitAfter(doc, "\n\n")
	if len(parts) < 12 {
		t.Fatalf("only %d paragraphs", len(parts))
	}
	guide := "# A guide\n\nThis begins as our own.\n\n" + doc
	b := based(t, pack{"pkg:generic/guide@1", "CC-BY-4.0", "2020-01-01", files{"docs/guide.md": guide}})
	s := scan(t, scanner.Options{}, b)
	paste := strings.Join(parts[4:8], "")
	intro := "# Ours\n\nWhat is said here was thought of here\n\n"
	f := one(t, tree(t, s, files{"README.md": intro + paste}.dir(t)))
	first := 5
	from := 5 + strings.Count(strings.Join(parts[:4], ""), "\n")
	n := strings.Count(strings.TrimRight(paste, "\n"), "\n")
	if f.StartLine != first || f.EndLine != first+n || f.Origins[0].StartLine != from || f.Origins[0].EndLine != from+n || f.Language != "text" || f.Origins[0].License != "CC-BY-4.0" || f.CloneType != 1 {
		t.Errorf("%d-%d: %+v, want %d-%d = %d-%d", f.StartLine, f.EndLine, f, first, first+n, from, from+n)
	}
	broken := strings.Join(strings.Fields(paste), "\n")
	if g := one(t, tree(t, s, files{"notes.txt": intro + broken}.dir(t))); g.Tokens != f.Tokens || g.CloneType != 1 {
		t.Errorf("%d tokens of type %d, want %d", g.Tokens, g.CloneType, f.Tokens)
	}
	none(t, tree(t, s, files{"other.md": prose(t, "text/template/doc.go")}.dir(t)))
}

// TestProseReasons: the reasons for prose are in its words. A long number, as in the address of an image, is not a reason.
func TestProseReasons(t *testing.T) {
	parts := strings.SplitAfter(prose(t, "fmt/doc.go"), "\n\n")
	text := strings.Join(parts[4:6], "") + "See [the badge](https://img.example/397664295875805184.svg) of theirs.\n" + strings.Join(parts[6:8], "")
	s := scan(t, scanner.Options{}, based(t, pack{"pkg:generic/guide@1", "CC-BY-4.0", "2020-01-01", files{"docs/guide.md": "# A guide\n\n" + text}}))
	f := one(t, tree(t, s, files{"README.md": "# Ours\n\n" + text}.dir(t)))
	told := strings.Join(f.Reasons, "\n")
	_, quoted, ok := strings.Cut(told, "the rarest words: \"")
	words, _, _ := strings.Cut(quoted, "\"\n")
	if !ok || strings.Contains(told, "397664295875805184") || len(strings.Fields(words)) < 4 {
		t.Errorf("%s", told)
	}
	for _, w := range strings.Fields(words) {
		if !strings.Contains(text, w) {
			t.Errorf("%q is not in the text", w)
		}
	}
}

const mitText = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`

const apacheHeader = `Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
`

// TestLicenceTexts: everybody has licence texts, so they are no copies.
func TestLicenceTexts(t *testing.T) {
	comment := func(text string) string {
		return "// Copyright 2019 Somebody\n//\n// " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n// ") + "\n\n"
	}
	remarks := func(text string) string {
		return "@echo off\nrem Copyright 2019 Somebody\nrem\nrem " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\nrem ") + "\n\n"
	}
	b := based(t, pack{"pkg:generic/theirs@1", "MIT", "2020-01-01", files{
		"run.cmd":   remarks(apacheHeader) + "if not exist theirs.jar exit /B 1\njava -jar theirs.jar\n",
		"README.md": "# Theirs\n\nA queue of theirs.\n\n## License\n\nCopyright (c) 2019 Somebody\n\n" + mitText,
		"api.proto": comment(apacheHeader) + "syntax = \"proto3\";\n\npackage theirs.v1;\n\nmessage Order {\n  string id = 1;\n  repeated int64 amounts = 2;\n}\n",
		"run.go":    comment(apacheHeader) + head + own("theirs"),
	}})
	r := tree(t, scan(t, scanner.Options{}, b), files{
		"run.cmd":   remarks(apacheHeader) + "set HERE=%~dp0\ncall build.cmd\n",
		"README.md": "# Ours\n\nWhat we made of it.\n\n## License\n\nCopyright (c) 2023 Us\n\n" + mitText,
		"api.proto": comment(apacheHeader) + "syntax = \"proto3\";\n\npackage ours.shop;\n\nenum Colour {\n  NONE = 0;\n  RED = 1;\n}\n",
		"run.go":    comment(apacheHeader) + "package ours\n\nvar x = map[string]bool{\"a\": true}\n",
		"LICENSE":   mitText,
	}.dir(t))
	none(t, r)
	if got := reason(r, "LICENSE"); !slices.Equal(got, []lang.Reason{lang.LicenceText}) {
		t.Errorf("LICENSE: %v", got)
	}
	if r.Summary.Files != 5 {
		t.Errorf("%+v", r.Summary)
	}
}

// errorList is the list of errors that Rails writes into the form of a model.
func errorList(form, model string) string {
	return "<%= " + form + " do |f| %>\n  <% if " + model + ".errors.any? %>\n    <div id=\"error_explanation\">\n" +
		"      <h2><%= pluralize(" + model + ".errors.count, \"error\") %> prohibited this " + model + " from being saved:</h2>\n\n      <ul>\n" +
		"      <% " + model + ".errors.full_messages.each do |message| %>\n        <li><%= message %></li>\n      <% end %>\n      </ul>\n    </div>\n  <% end %>\n\n"
}

// colours is the style sheet that Pygments writes.
func colours(before string) string {
	var out strings.Builder
	for i, name := range strings.Fields("c=Comment err=Error k=Keyword o=Operator cm=Comment.Multiline cp=Comment.Preproc gd=Generic.Deleted ge=Generic.Emph gr=Generic.Error " +
		"gh=Generic.Heading gi=Generic.Inserted go=Generic.Output gs=Generic.Strong kc=Keyword.Constant kd=Keyword.Declaration nb=Name.Builtin") {
		class, said, _ := strings.Cut(name, "=")
		fmt.Fprintf(&out, "%s.%s { color: #%06x; font-weight: bold } /* %s */\n", before, class, 0x408080+i*77, said)
	}
	return out.String()
}

// TestToolsInText: text that a tool writes is no evidence; the text around it counts as before.
func TestToolsInText(t *testing.T) {
	notebook := func(cell, version string) string {
		return "{\n \"cells\": [\n  {\n   \"source\": [\n    \"" + cell + "\"\n   ]\n  }\n ],\n \"metadata\": {\n  \"kernelspec\": {\n   \"display_name\": \"Python 3\",\n" +
			"   \"language\": \"python\",\n   \"name\": \"python3\"\n  },\n  \"language_info\": {\n   \"codemirror_mode\": {\n    \"name\": \"ipython\",\n    \"version\": 3\n   },\n" +
			"   \"file_extension\": \".py\",\n   \"mimetype\": \"text/x-python\",\n   \"name\": \"python\",\n   \"nbconvert_exporter\": \"python\",\n   \"pygments_lexer\": \"ipython3\",\n" +
			"   \"version\": \"" + version + "\"\n  }\n },\n \"nbformat\": 4,\n \"nbformat_minor\": 2\n}\n"
	}
	b := based(t, pack{"pkg:generic/theirs@1", "MIT", "2020-01-01", files{
		"fit.ipynb":  notebook("ax1.legend()", "3.7.1"),
		"erb.actual": "<p>A sample of theirs</p>\n" + errorList("form_with(model: @post, local: true)", "@post") + "  <div class=\"field\">\n    <%= f.label :title %>\n",
		"style.css":  "h1 { margin: 0 }\n" + colours(""),
	}})
	none(t, tree(t, scan(t, scanner.Options{}, b), files{
		"_form.html.erb":  errorList("form_for(user)", "user") + "  <div class=\"actions\">\n    <%= f.submit %>\n",
		"code_styles.css": colours(".codehilite "),
		"twitter.ipynb":   notebook("client.search()", "3.8.3"),
	}.dir(t)))
}

// TestPage: project generators write the same page for everybody, and documentation shows it.
func TestPage(t *testing.T) {
	page := func(title, script string) string {
		return "<!doctype html>\n<html lang=\"en\">\n  <head>\n    <meta charset=\"UTF-8\" />\n" +
			"    <link rel=\"icon\" type=\"image/svg+xml\" href=\"/vite.svg\" />\n" +
			"    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1.0\" />\n    <title>" + title + "</title>\n  </head>\n  <body>\n" +
			"    <div id=\"root\"></div>\n    <script type=\"module\" src=\"/src/main." + script + "\"></script>\n  </body>\n</html>\n"
	}
	b := based(t, pack{"pkg:npm/theirs@1.0.0", "MIT", "2020-01-01", files{
		"docs/start.md": "# Start\n\nPut a page of this form at the root of the program, so that the router finds where it is to be shown:\n\n```html\n" + page("Theirs", "tsx") + "```\n",
	}})
	none(t, tree(t, scan(t, scanner.Options{}, b), files{"index.html": page("A Counter", "tsx"), "other/index.html": page("Vite + React + TS", "jsx")}.dir(t)))
}

// TestFrames: the beginning of a page or a style sheet is fixed by its format.
func TestFrames(t *testing.T) {
	const strict = "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd\">\n" +
		"<html xmlns=\"http://www.w3.org/1999/xhtml\" xml:lang=\"en\" lang=\"en\">\n"
	const sheet = "<?xml version=\"1.0\"?>\n<xsl:stylesheet xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\"\n    xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" version=\"1.0\">\n"
	text := "<p>A queue keeps what was sent to it until somebody takes it out again, in the order in which the senders were admitted.</p>\n" +
		"<p>Whoever is admitted last waits longest, unless the shortest message of all is his; nobody waits for ever.</p>\n"
	b := based(t, pack{"pkg:generic/theirs@1", "MIT", "2020-01-01", files{
		"README.html": strict + "<head>\n<meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\" />\n<title>Theirs</title>\n</head>\n" + text,
		"news.xsl":    sheet + "<xsl:output method=\"text\" encoding=\"UTF-8\"/>\n<xsl:variable name=\"site\">theirs</xsl:variable>\n",
	}})
	s := scan(t, scanner.Options{}, b)
	none(t, tree(t, s, files{
		"convert.ps1": "$expected = @\"\n" + strict + "<head>\n<title>ours</title>\n\"@\n",
		"gpl.html":    strict + "<head>\n <meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\" />\n <title>Ours</title>\n",
		"style.xsl":   sheet + "\t<xsl:template match=\"/\">\n\t<xsl:apply-templates/>\n",
	}.dir(t)))
	f := one(t, tree(t, s, files{"page.html": strict + "<head>\n<title>Ours</title>\n</head>\n" + text}.dir(t)))
	if f.Origins[0].Path != "README.html" {
		t.Errorf("%+v", f.Origins[0])
	}
}

// TestLicenceInAnotherForm: the text of a licence is no evidence, even if the target has marks between its lines.
func TestLicenceInAnotherForm(t *testing.T) {
	var marked strings.Builder
	for i, w := range strings.Fields(mitText) {
		if marked.WriteString(w + " "); i%34 == 33 {
			marked.WriteString("f1fs20cf0loch ")
		}
	}
	b := based(t, pack{"pkg:generic/one@1.0", "MIT", "2015-01-01", files{"docs/terms.txt": mitText}})
	if fs := tree(t, scan(t, scanner.Options{}, b), files{"terms.rtf": marked.String()}.dir(t)).Findings; len(fs) > 0 {
		t.Errorf("%d-%d %q", fs[0].StartLine, fs[0].EndLine, fs[0].Reasons)
	}
}
