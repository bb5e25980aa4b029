package documents

import (
	"sync"

	"github.com/git-provenance/git-provenance/scanner/examine/internal/lookup"
)

// answers caches searches in large documents: the positions of a text. It keeps them after the document itself was dropped. In a
// history, the versions of one file ask for the same names of the same documents, and a few bundles of a million tokens fill the
// cache.
type answers struct {
	mu    sync.Mutex
	known map[question][]uint32
}

// question asks for the positions of a text in a document, if there are at most most.
type question struct {
	doc  lookup.Key
	most int
	text string
}

// Limits of the answers that are kept, about 10 MB.
const (
	maxAnswers  = 1 << 16 // if there are more, all are forgotten
	maxQuestion = 64      // bytes of a text
)

// find is Document.Find. It searches the document only for texts without a known answer.
func (a *answers) find(d *Document, texts [][]byte, most int) [][]uint32 {
	out := make([][]uint32, len(texts))
	var open []int
	var ask [][]byte
	a.mu.Lock()
	for i, text := range texts {
		at, ok := a.known[question{d.Key, most, string(text)}]
		if out[i] = at; !ok {
			open, ask = append(open, i), append(ask, text)
		}
	}
	a.mu.Unlock()
	if len(ask) == 0 {
		return out
	}
	found := d.search(ask, most)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known == nil || len(a.known) > maxAnswers {
		a.known = map[question][]uint32{}
	}
	for k, i := range open {
		out[i] = found[k]
		if len(ask[k]) <= maxQuestion {
			a.known[question{d.Key, most, string(ask[k])}] = found[k]
		}
	}
	return out
}
