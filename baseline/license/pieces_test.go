package license

import (
	"strings"
	"testing"
)

// TestPieces: a shortened notice is still recognised as licence text.
func TestPieces(t *testing.T) {
	const shortened = `/*
 * Copyright 2016 the authors.
 *
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
a.button { color: red; }
`
	var masked strings.Builder
	last := 0
	for _, s := range Spans([]byte(shortened)) {
		if s.From < last {
			t.Fatalf("spans overlap at %d", s.From)
		}
		masked.WriteString(shortened[s.From:s.To])
		last = s.To
	}
	for _, want := range []string{"obtain a copy", "agreed to in writing", "either express or implied", "specific language governing"} {
		if !strings.Contains(masked.String(), want) {
			t.Errorf("%q is not taken for the wording of a licence", want)
		}
	}
	if strings.Contains(masked.String(), "button") {
		t.Error("code is taken for the wording of a licence")
	}
	if got := Spans([]byte("Unless required by the tests, software is written by people under no license.\n")); len(got) > 0 {
		t.Errorf("own words are taken for those of a licence: %v", got)
	}
}

// TestPiecesOfDisclaimers: a disclaimer below a project's own list of conditions is licence text up to its end.
func TestPiecesOfDisclaimers(t *testing.T) {
	const header = `# You may choose one of two licenses.
#
# THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND,
# EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
# MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
# NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS
# BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN
# ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
# CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
# SOFTWARE.
`
	masked := 0
	for _, s := range Spans([]byte(header)) {
		masked += s.To - s.From
	}
	if from := strings.Index(header, "THE SOFTWARE"); masked < (len(header)-from)*9/10 {
		t.Errorf("%d of %d bytes are taken for the wording of a licence", masked, len(header)-from)
	}
}

// TestPiecesOfManuals: the permissions in manuals and man pages are licence text, even with words of the page's format between
// them.
func TestPiecesOfManuals(t *testing.T) {
	const manual = `.\" Copyright 1992 somebody.
.SH COPYING
Permission is granted to make and distribute verbatim copies of
this manual provided the copyright notice and this permission notice
are preserved on all copies.
.PP
Permission is granted to copy and distribute modified versions of this
manual under the conditions for verbatim copying, provided that the
entire resulting derived work is distributed under the terms of a
permission notice identical to this one.
@ignore
Permission is granted to process this file through TeX and print the
results, provided the printed document carries copying permission
notice identical to this one except for the removal of this paragraph
(this paragraph not being relevant to the printed manual).
@end ignore
Permission is granted to copy and distribute translations of this manual
into another language, under the above conditions for modified versions,
except that this permission notice may be stated in a translation approved
by the Free Software Foundation.
.SH AUTHOR
Somebody wrote this page about cogwheels.
`
	var masked strings.Builder
	for _, s := range Spans([]byte(manual)) {
		masked.WriteString(manual[s.From:s.To])
	}
	for _, want := range []string{"verbatim copies", "preserved on all copies", "modified versions", "identical to this one.", "process this file", "relevant to the printed manual", "translations of this manual", "stated in a translation"} {
		if !strings.Contains(masked.String(), want) {
			t.Errorf("%q is not taken for the wording of a licence", want)
		}
	}
	if strings.Contains(masked.String(), "cogwheels") {
		t.Error("own words are taken for the wording of a licence")
	}
}

// TestTerms: exceptions and permissions that follow a notice are terms too, what the file is for is not.
func TestTerms(t *testing.T) {
	const macro = `# SYNOPSIS
#
#   AX_OWN_MACRO finds out what the compiler of this machine can do.
#
# LICENSE
#
#   This program is distributed in the hope that it will be useful, but
#   WITHOUT ANY WARRANTY; without even the implied warranty of
#   MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.
#
#   As a special exception, who owns the copyright of a macro permits to
#   distribute and to modify what comes of it. The terms of the GPL cover it.
#
#   This exception to the GPL may be kept in versions that are distributed
#   after they were modified.
#
#   The macro was written to be read, and reads the version of the compiler.
`
	var terms strings.Builder
	for _, s := range Spans([]byte(macro)) {
		terms.WriteString(macro[s.From:s.To])
	}
	for want, is := range map[string]bool{"special exception": true, "may be kept": true, "to be read": false, "SYNOPSIS": false} {
		if strings.Contains(terms.String(), want) != is {
			t.Errorf("%q is taken for the wording of a licence: %v", want, !is)
		}
	}
	if got := Spans([]byte(strings.SplitAfter(macro, "PURPOSE.\n")[1])); len(got) > 0 {
		t.Errorf("terms without a licence: %v", got)
	}
}

// TestManualLicence: the text of the GNU Free Documentation License in a manual is licence text, whatever markup is in between.
func TestManualLicence(t *testing.T) {
	const preamble = "The purpose of this License is to make a manual,\ntextbook, or other written document @dfn{free} in the sense of freedom.\n"
	const last = "we recommend releasing these examples under your choice of free software license, to permit\ntheir use in free software.\n"
	body := "This License is a kind of ``copyleft''.\n" + strings.Repeat("@item State on the Title Page the name of the publisher.\n", 20)
	manual := "Use the program so.\n\n@node License\n" + preamble + body + last + "\nIndex of everything.\n"
	var masked strings.Builder
	for _, s := range Spans([]byte(manual)) {
		masked.WriteString(manual[s.From:s.To])
	}
	if got := masked.String(); !strings.Contains(got, "State on the Title Page") || strings.Contains(got, "Index of") || strings.Contains(got, "Use the program") {
		t.Errorf("licence text %q", got)
	}
	if got := Spans([]byte(preamble + body)); len(got) > 0 {
		t.Errorf("a text without the last sentence has licence text at %v", got)
	}
}

// TestAppendix: how to apply the GPL is licence text too, with lines that a form of the text broke elsewhere.
func TestAppendix(t *testing.T) {
	const appendix = "How to Apply These Terms to Your\nNew Programs\n\nIf you develop a new program, and you want it to be of the greatest possible use to the public, " +
		"attach the following notices.\n\nYou should also get your employer to sign. But first, please read\n<http://www.gnu.org/philosophy/why-not-lgpl.html>"
	for _, c := range []struct{ text, in string }{
		{"Use it so. GNU General Public License.\n" + appendix + ".\nIndex of everything.\n", appendix[:len(appendix)-1]},
		{"GNU General Public License.\n" + appendix[:80], ""},
	} {
		var masked strings.Builder
		for _, s := range Spans([]byte(c.text)) {
			masked.WriteString(c.text[s.From:s.To])
		}
		if got := masked.String(); got != c.in {
			t.Errorf("licence text %q, want %q", got, c.in)
		}
	}
}
