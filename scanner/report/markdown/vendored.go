package markdown

import (
	"fmt"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/words"
)

// maxVendored bounds the vendored packages that are listed.
const maxVendored = 100

// vendored lists the vendored packages of the target as far as there is room, folded behind one line.
func (m *writer) vendored(vs []finding.Vendored) {
	if len(vs) == 0 {
		return
	}
	head := fmt.Sprintf("<details><summary>Vendored packages: %s</summary>\n\n", words.Number(len(vs)))
	const end = "\n</details>\n\n"
	room := m.left - len(head) - len(end) - len(more(len(vs)))
	var b strings.Builder
	n := 0
	for ; n < min(len(vs), maxVendored); n++ {
		row := vendoredRow(&vs[n])
		if b.Len()+len(row) > room {
			break
		}
		b.WriteString(row)
	}
	if n == 0 {
		m.write(fmt.Sprintf("Vendored packages: %s\n\n", words.Number(len(vs)))) // uses cutRoom
		return
	}
	m.write(head + b.String())
	if left := len(vs) - n; left > 0 {
		m.write(more(left))
	}
	m.write(end)
}

func vendoredRow(v *finding.Vendored) string {
	return fmt.Sprintf("- %s: %s (%s), %s\n", code(v.Path), code(words.VendoredName(v)), prose(words.Licence(v.License)), words.VendoredFiles(v))
}

func more(n int) string {
	return fmt.Sprintf("\n%s more are in the JSON report.\n", words.Number(n))
}
