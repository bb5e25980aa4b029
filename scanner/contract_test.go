package scanner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/scanner"
)

// piping implements a trait for a type. The template of the method bodies decides what the code does.
func piping(typ, body string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "use conduit::{Conduit, Parcelled, Spillway};\n\npub struct %s<R> {\n    own: R,\n}\n\nimpl<R: Parcelled + Unpin> Conduit for %s<R> {\n    type Parcel = R::Item;\n", typ, typ)
	for _, name := range strings.Fields("pull_parcel push_parcel drain_spillway seal_conduit rewind_parcel splice_spillway") {
		fmt.Fprintf(&out, "\n    fn %s(self: Pin<&mut Self>, ctx: &mut Context<'_>, spill: &mut Spillway<'_>) -> Poll<Result<usize, ConduitError>> {\n%s\n    }\n",
			name, strings.ReplaceAll(body, "NAME", name))
	}
	return out.String() + "}\n"
}

// TestContract: two types that implement one trait are not copies by its signatures, but can be by their bodies.
func TestContract(t *testing.T) {
	const does = `        let window = self.own.lookahead_window(ctx)?;
        if window.pending_frames() > self.own.high_watermark() {
            ctx.waker().wake_by_ref();
            return Poll::Pending;
        }
        spill.extend_from(window.NAME());`
	known := piping("Gzipped", does)
	b := based(t, pack{"pkg:cargo/gzipped@1.2.0", "MIT", "2020-01-01", files{"lib.rs": known}},
		pack{"pkg:generic/other@1", "BSD-3-Clause", "2020-01-01", stdFiles(t, "sort/sort.go", "strings/replace.go", "go/scanner/scanner.go")})
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"another implementation", piping("Metered", "        self.get_mut().own.NAME(ctx)"), false},
		{"a copy of what the methods do", piping("Metered", does), true},
		{"a copy", known, true},
	} {
		report := tree(t, scan(t, scanner.Options{}, b), files{"own.rs": c.text}.dir(t))
		for _, f := range report.Findings {
			t.Logf("%s: %d-%d %q", c.name, f.StartLine, f.EndLine, f.Reasons)
		}
		if found := len(report.Findings) > 0; found != c.want {
			t.Errorf("%s is found: %v, want %v", c.name, found, c.want)
		}
	}
}
