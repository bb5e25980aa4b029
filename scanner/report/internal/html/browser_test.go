package html

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// browser is a page in Chromium, asked over the pipe of its developer tools.
type browser struct {
	t       *testing.T
	to      *os.File
	from    *bufio.Reader
	session string
	id      int
}

// browse opens a page. It skips the test if there is no Chromium.
func browse(t *testing.T, page []byte) *browser {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && program == "" {
			program = found
		}
	}
	if program == "" || testing.Short() {
		t.Skip("no Chromium")
	}
	dir := profile(t)
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	in, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe", "--user-data-dir="+filepath.Join(dir, "profile"))
	c.ExtraFiles = []*os.File{in, out}
	if err := c.Start(); err != nil {
		t.Skipf("Chromium does not start: %v", err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait(); to.Close(); from.Close() })
	in.Close()
	out.Close()
	time.AfterFunc(time.Minute, func() { c.Process.Kill() }) // then the pipe ends
	b := &browser{t: t, to: to, from: bufio.NewReader(from)}
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "file://" + file}, &target)
	var session struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	b.session = session.SessionID
	for i := 0; b.eval("location.protocol + document.readyState") != "file:complete"; i++ {
		if i > 300 {
			t.Fatal("the page does not load")
		}
		time.Sleep(20 * time.Millisecond)
	}
	return b
}

// profile returns a directory for a browser. t.TempDir would fail the test: processes of Chromium outlive the first one for a moment and
// write while the directory is removed.
func profile(t *testing.T) string {
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := os.RemoveAll(dir)
		for i := 0; err != nil && i < 100; i++ {
			time.Sleep(50 * time.Millisecond)
			err = os.RemoveAll(dir)
		}
		if err != nil {
			t.Logf("left behind: %v", err)
		}
	})
	return dir
}

// call sends a command and waits for its result.
func (b *browser) call(method string, params map[string]any, result any) {
	b.t.Helper()
	b.id++
	msg := map[string]any{"id": b.id, "method": method, "params": params}
	if b.session != "" {
		msg["sessionId"] = b.session
	}
	js, err := json.Marshal(msg)
	if err == nil {
		_, err = b.to.Write(append(js, 0))
	}
	for err == nil {
		var line []byte
		if line, err = b.from.ReadBytes(0); err != nil {
			break
		}
		var got struct {
			ID            int
			Result, Error json.RawMessage
		}
		if err = json.Unmarshal(line[:len(line)-1], &got); err != nil || got.ID != b.id {
			continue
		}
		if got.Error != nil {
			b.t.Fatalf("%s: %s", method, got.Error)
		}
		if err := json.Unmarshal(got.Result, result); err != nil {
			b.t.Fatalf("%s: %v in %s", method, err, got.Result)
		}
		return
	}
	b.t.Fatalf("%s: %v", method, err)
}

// eval returns the value of an expression as text.
func (b *browser) eval(expression string) string {
	b.t.Helper()
	var out struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": "String(" + expression + ")"}, &out)
	if out.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, out.ExceptionDetails)
	}
	return fmt.Sprint(out.Result.Value)
}

// TestPairsInBrowser: a click on a heading sorts the list, another one turns it round; the filter keeps the order; the way from pair to
// pair follows the list; names of strangers stay text.
func TestPairsInBrowser(t *testing.T) {
	alone := func(n int) *int { return &n }
	r := &similar.Result{Pairs: []similar.UnitPair{
		{A: "ann 10", B: "<img src=x onerror=alert(1)>", ShareA: 0.999, ShareB: 0.2, SharedA: 1200, SharedB: 300, Similarity: 0.5, Alone: alone(7)},
		{A: "ann 9", B: "bob", ShareA: 0.4, ShareB: 0.998, SharedA: 90, SharedB: 90, Similarity: 0.75, Alone: alone(90)},
		{A: "eve", B: "bob", Similarity: 0.6, Alone: alone(0)},
	}}
	r.Parameters.Sort, r.Parameters.MinTokens = similar.BySimilarity, 31
	var page bytes.Buffer
	if err := Pairs(&page, r); err != nil {
		t.Fatal(err)
	}
	b := browse(t, page.Bytes())
	ids := func() string {
		return b.eval(`[...document.querySelectorAll('#pairs tbody tr:not([hidden])')].map(r => r.id).join(' ')`)
	}
	click := func(selector string) { b.eval(`document.querySelector("` + selector + `").click()`) }
	head := func(n int) string { return fmt.Sprintf("#pairs th:nth-child(%d) button", n) }
	for i, c := range []struct {
		click, want string
	}{
		{head(1), "r2 r3 r1"}, {head(1), "r1 r3 r2"}, {head(1), "r2 r3 r1"},
		{head(3), "r2 r1 r3"}, {head(4), "r1 r2 r3"}, {head(4), "r3 r2 r1"}, {head(5), "r2 r1 r3"}, {head(6), "r2 r1 r3"}, {head(6), "r3 r1 r2"}, {head(6), "r2 r1 r3"},
	} {
		if click(c.click); ids() != c.want {
			t.Errorf("click %d on %s: %s, want %s", i, c.click, ids(), c.want)
		}
	}
	if got := b.eval(`[...document.querySelectorAll('#pairs th')].map(h => h.ariaSort).join(' ')`); got != "none none none none none ascending none" {
		t.Errorf("aria-sort %s", got)
	}
	steps := []struct{ click, want string }{{"#p2 [data-step='1']", "#p1"}, {"#p1 [data-step='1']", "#p3"}, {"#p3 [data-step='-1']", "#p1"}, {"#p2 [data-step='-1']", "#r2"}}
	for _, s := range steps {
		if click(s.click); b.eval("location.hash") != s.want {
			t.Errorf("%s leads to %s, want %s", s.click, b.eval("location.hash"), s.want)
		}
	}
	b.eval(`(document.getElementById('q').value = 'ann', document.getElementById('filter').dispatchEvent(new Event('input')))`)
	if click(head(1)); ids() != "r2 r1" || b.eval("document.getElementById('state').textContent") != "2 of 3 pairs" {
		t.Errorf("filtered: %s, %s", ids(), b.eval("document.getElementById('state').textContent"))
	}
	if click("#p2 [data-step='1']"); b.eval("location.hash") != "#p1" {
		t.Errorf("in the filtered list the next pair is %s", b.eval("location.hash"))
	}
	if n := b.eval("document.images.length"); n != "0" {
		t.Errorf("%s images", n)
	}
	alike := b.eval("document.querySelector('#p3 .note').textContent")
	if !strings.HasPrefix(alike, "Similarity 60%. No run of 31 tokens is in both; structure and values are alike.") || b.eval("document.querySelector('#r3').textContent") != "60%nonenone00evebob" {
		t.Errorf("a pair without a match: %s; %s", alike, b.eval("document.querySelector('#r3').textContent"))
	}
}

// onPaper lays a page out as A4 paper has it between its margins, for a reader whose screen is dark.
func (b *browser) onPaper() {
	b.t.Helper()
	b.call("Emulation.setEmulatedMedia", map[string]any{"media": "print", "features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}}, &struct{}{})
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 703, "height": 1009, "deviceScaleFactor": 1, "mobile": false}, &struct{}{})
}

// sheets returns how many pages of paper the page takes.
func (b *browser) sheets() int {
	b.t.Helper()
	var pdf struct{ Data []byte }
	b.call("Page.printToPDF", map[string]any{"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": true}, &pdf)
	return bytes.Count(pdf.Data, []byte("/Type /Page\n"))
}

// TestPairsOnPaper: nothing is cut or dark, folded source is shown but no folded list of files, and each pair with source begins a sheet. If the list is filtered, paper
// says so and names the units of the filtered pairs only.
func TestPairsOnPaper(t *testing.T) {
	long := strings.Repeat("submission_", 12)
	file := func(name string) similar.Pair {
		lines := finding.Excerpt{StartLine: 99998, Lines: []string{"first(" + strings.Repeat("argument, ", 40) + ")", "\t\t\t" + strings.Repeat("x", 300), "last"}}
		run := finding.Run{StartLine: 99998, StartColumn: 1, EndLine: 100000, EndColumn: 5, OriginStartLine: 99998, OriginStartColumn: 1, OriginEndLine: 100000, OriginEndColumn: 5, Tokens: 45}
		return similar.Pair{A: similar.Side{Path: name}, B: similar.Side{Path: name}, Tokens: 45, Matches: []similar.Match{{Tokens: 45, CloneType: 1, Runs: []finding.Run{run}, Text: &finding.Sides{Target: lines, Origin: lines}}}}
	}
	pair := func(a, b string, files ...similar.Pair) similar.UnitPair {
		return similar.UnitPair{A: a, B: b, ShareA: 0.5, ShareB: 0.5, SharedA: 90, SharedB: 90, Similarity: 0.5, Files: files}
	}
	r := &similar.Result{
		Pairs:  []similar.UnitPair{pair("Ann", "Bob", file("one"), file("two")), pair("Cid"+long, "Bob", file("one")), pair("Cid"+long, "Fay")},
		Groups: []similar.Group{{Units: []string{"Ann", "Bob", "Cid" + long, "Fay"}, Least: 0.5}},
		Ledger: []finding.Entry{{Path: "Fay/" + long + long, Reason: "binary"}},
	}
	r.Parameters.Sort, r.Parameters.MinTokens = similar.BySimilarity, 31
	var page bytes.Buffer
	if err := Pairs(&page, r); err != nil {
		t.Fatal(err)
	}
	b := browse(t, page.Bytes())
	b.onPaper()
	const light = `c => { const [r, g, b, a = 1] = c.match(/[\d.]+/g).map(Number); return a === 0 ? 1 : (r + g + b) / 765 }`
	for what, faults := range map[string]string{
		"are cut":         `e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1 && getComputedStyle(e).display !== 'inline'`,
		"are wide":        `e.getBoundingClientRect().right > 703`,
		"scroll":          `/auto|scroll/.test(getComputedStyle(e).overflow)`,
		"have a dark bed": `(` + light + `)(getComputedStyle(e).backgroundColor) < 0.8`,
		"are pale":        `(` + light + `)(getComputedStyle(e).color) > 0.5`,
		"lead elsewhere":  `e.matches('#filter, .views, .ways')`,
	} {
		if got := b.eval(`[...document.body.querySelectorAll('*')].filter(e => e.checkVisibility() && (` + faults + `)).map(e => e.outerHTML.slice(0, 60)).join(', ')`); got != "" {
			t.Errorf("these %s: %s", what, got)
		}
	}
	if n := b.eval(`[...document.querySelectorAll('.code td mark')].filter(e => e.checkVisibility()).length`); n != "18" {
		t.Errorf("%s marked stretches are shown, want 18", n)
	}
	seen := `document.querySelector('#ledger li').checkVisibility()`
	if folded, open := b.eval(seen), b.eval(`(document.querySelector('#ledger details').open = true, `+seen+`)`); folded != "false" || open != "true" {
		t.Errorf("a file not examined is shown: %s folded, %s unfolded", folded, open)
	}
	if n := b.sheets(); n != 4 {
		t.Errorf("%d sheets, want the list, two of pairs with source, and one of what has none", n)
	}
	b.eval(`(document.getElementById('q').value = 'ann', document.getElementById('filter').dispatchEvent(new Event('input')))`)
	if text := b.eval(`document.body.innerText`); !strings.Contains(text, "1 of 3 pairs, with “ann” in A or B.") || strings.Contains(text, "Cid") || strings.Contains(text, "Fay") {
		t.Errorf("filtered: %s", text)
	}
	if n := b.sheets(); n != 2 {
		t.Errorf("%d sheets of the filtered pair, want 2", n)
	}
}
