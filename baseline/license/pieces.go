package license

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/google/licensecheck"
)

// pieces are sentences of common licences and notices, as licensecheck patterns. Some files have only a few of them,
// because their author shortened or changed the notice.
var pieces = []string{
	"You may obtain a copy of the License at",
	"Unless required by applicable law or agreed to in writing, software distributed under the License is distributed on an AS IS BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.",
	"See the License for the specific language governing permissions and limitations under the License",
	"Redistribution and use in source and binary forms, with or without modification, are permitted",
	"Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer",
	"Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following disclaimer in the documentation and/or other materials provided with the distribution",
	"Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files",
	"without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software",
	"The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software",
	"THE SOFTWARE IS PROVIDED AS IS, WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY",
	"Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted",
	"is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE",
	"it under the terms of the GNU __4__ License as published by the Free Software Foundation",
	"You should have received a copy of the GNU __4__ License along with",
	"FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT",
	"IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE",
	"AS IS AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED",
	"BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES",
	"INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION",
	"HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT INCLUDING NEGLIGENCE OR OTHERWISE ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE",
	"Permission is granted to make and distribute verbatim copies of this __4__ provided the copyright notice and this permission notice are preserved on all copies",
	"Permission is granted to copy and distribute modified versions of this __4__ under the conditions for verbatim copying",
	"provided that the entire resulting derived work is distributed under the terms of a permission notice identical to this one",
	"Permission is granted to copy and distribute translations of this __4__ into another language under the above conditions for modified versions",
	"except that this permission notice may be stated in a translation approved by",
	"Permission is granted to process this file through TeX and print the results, provided the printed document carries __4__ permission notice identical to this one except for the removal of this paragraph",
	"this paragraph not being relevant to the printed manual",
	"Permission is granted to copy, distribute and/or modify this document under the terms of the GNU Free Documentation License",
	"with no Invariant Sections, with no Front-Cover Texts, and with no Back-Cover Texts",
	"gives unlimited permission to copy and/or distribute it, with or without modifications, as long as this notice is preserved",
	"Copying and distribution of this file, with or without modification, are permitted in any medium without royalty",
}

var pieceScanner = sync.OnceValue(func() *licensecheck.Scanner {
	var ls []licensecheck.License
	for _, text := range pieces {
		ls = append(ls, licensecheck.License{ID: "piece", LRE: text})
	}
	return scanner(ls)
})

// withPieces adds the sentences that are outside the spans.
func withPieces(text []byte, spans []Span) []Span {
	if !mentionsLicence(text) {
		return spans
	}
	spans = withManualLicence(text, spans)
	spans = withAppendix(text, spans)
	for _, m := range pieceScanner().Scan(text).Match {
		if !slices.ContainsFunc(spans, func(s Span) bool { return s.From < m.End && m.Start < s.To }) {
			spans = append(spans, Span{m.Start, m.End})
		}
	}
	slices.SortFunc(spans, func(a, b Span) int { return a.From - b.From })
	return withTerms(text, spans)
}

// The GNU Free Documentation License begins and ends with these words, in all versions. Manuals contain it with page heads or with
// commands of Texinfo in between, and licensecheck does not know its text.
var (
	manualLicenceFirst = onLines("The purpose of this License is to make a manual, textbook,")
	manualLicenceLast  = onLines("to permit their use in free software")
)

// longestManualLicence is more bytes than the text of that licence has with its markup.
const longestManualLicence = 40 << 10

// onLines matches words that are broken into lines anywhere.
func onLines(words string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(strings.ReplaceAll(regexp.QuoteMeta(words), " ", `\s+`))
	})
}

// withManualLicence adds the text of the GNU Free Documentation License to spans.
func withManualLicence(text []byte, spans []Span) []Span {
	if !bytes.Contains(text, []byte("copyleft")) {
		return spans
	}
	return withPart(text, spans, manualLicenceFirst(), manualLicenceLast(), longestManualLicence)
}

// The licences of GNU programs end with an appendix on how to use them. licensecheck does not know all its versions.
var (
	appendixFirst = onLines("How to Apply These Terms to Your New")
	appendixLast  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`why-not-lgpl\.html|License\s+instead\s+of\s+this\s+License|all\s+there\s+is\s+to\s+it!`)
	})
)

// longestAppendix is more bytes than the appendix has.
const longestAppendix = 8 << 10

// withAppendix adds the appendix of a licence of GNU programs to spans.
func withAppendix(text []byte, spans []Span) []Span {
	if !bytes.Contains(text, []byte("How to Apply")) {
		return spans
	}
	return withPart(text, spans, appendixFirst(), appendixLast(), longestAppendix)
}

// withPart adds to spans the part of a text from a match of begin to a match of end, if it is not longer than most bytes.
func withPart(text []byte, spans []Span, begin, end *regexp.Regexp, most int) []Span {
	first := begin.FindIndex(text)
	if first == nil {
		return spans
	}
	last := end.FindIndex(text[first[0]:min(len(text), first[0]+most)])
	if last == nil {
		return spans
	}
	whole := Span{first[0], first[0] + last[1]}
	var out []Span
	for _, s := range spans {
		if s.To <= whole.From || whole.To <= s.From {
			out = append(out, s)
			continue
		}
		whole = Span{min(whole.From, s.From), max(whole.To, s.To)}
	}
	return append(out, whole)
}

// Notices go on in words of their own: exceptions, further permissions, who owns what. A paragraph beside the wording of a
// licence that is full of such words belongs to it.

// termWords are what terms are made of. A paragraph needs leastTerms of them, and one in mostWords words.
var termWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(licen[cs]e[ds]?|copyright|copyrighted|gpl|lgpl|permission|permitted|exceptions?|distribut(e|ed|ing|ion)|redistribut(e|ed|ing|ion)|modified|modif(y|ication)|warranty|liab(le|ility)|terms)\b`)
})

const leastTerms, mostWords = 4, 10

// withTerms adds such paragraphs to spans, which ascend.
func withTerms(text []byte, spans []Span) []Span {
	if len(spans) == 0 {
		return nil
	}
	ps := paragraphs(text)
	in := make([]bool, len(ps))
	next := 0
	for i, p := range ps {
		for next < len(spans)-1 && spans[next].To <= p.From {
			next++
		}
		in[i] = spans[next].From < p.To && p.From < spans[next].To
	}
	out := slices.Clone(spans)
	add := func(i, beside int) {
		if !in[i] && in[beside] && ofTerms(text[ps[i].From:ps[i].To]) {
			in[i] = true
			out = append(out, ps[i])
		}
	}
	for i := 1; i < len(ps); i++ {
		add(i, i-1)
	}
	for i := len(ps) - 2; i >= 0; i-- {
		add(i, i+1)
	}
	slices.SortFunc(out, func(a, b Span) int { return a.From - b.From })
	return out
}

func ofTerms(said []byte) bool {
	n := len(termWords().FindAll(said, -1))
	return n >= leastTerms && n*mostWords >= len(bytes.Fields(said))
}

// paragraphs are the stretches of lines with letters.
func paragraphs(text []byte) (out []Span) {
	at, open := 0, false
	for line := range bytes.Lines(text) {
		letters := bytes.ContainsFunc(line, unicode.IsLetter)
		switch {
		case letters && open:
			out[len(out)-1].To = at + len(line)
		case letters:
			out = append(out, Span{at, at + len(line)})
		}
		open = letters
		at += len(line)
	}
	return out
}
