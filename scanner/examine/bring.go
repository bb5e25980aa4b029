package examine

import (
	"github.com/git-provenance/git-provenance/baseline"
	"github.com/git-provenance/git-provenance/scanner/match"
)

// mostBrought bounds the documents whose names are fetched before anything tells that they
// are needed. The first are those with most seeds.
const mostBrought = 10_000

// shared tells whether documents of a baseline may have to be fetched.
func (s *Examiner) shared(base int) bool { return s.bases[base].Shared() }

// bringBundles fetches the names of documents that are about to be looked at, in one round
// instead of one for each. Most others fall at the first test, and of these most by their
// names: so tokens come one by one.
func (q *query) bringBundles(bundles []bundle) error {
	ids := make([][]baseline.DocID, len(q.e.bases))
	n := 0
	for _, b := range bundles {
		if !q.e.shared(b.key.base) || q.only != nil && !q.only(b.key) {
			continue
		}
		q.reach = match.Reach(q.reach[:0], b.seeds, q.e.params.K, q.e.params.W)
		if match.Length(q.reach) < q.e.least {
			continue
		}
		ids[b.key.base] = append(ids[b.key.base], b.key.id)
		if n++; n == mostBrought {
			break
		}
	}
	return q.bring(ids)
}

// bringRare fetches the names of documents that have a rare hit.
func (q *query) bringRare() error {
	ids := make([][]baseline.DocID, len(q.e.bases))
	for i, last := range q.hits.last {
		if last == 0 || q.first[i+1]-q.first[i] > rarePositions || !q.rare(last) {
			continue
		}
		for h := last; h > 0; h = q.hits.list[h-1].next {
			if key := q.hits.docs[q.hits.list[h-1].doc].key; q.e.shared(key.base) && len(ids[key.base]) < mostBrought {
				ids[key.base] = append(ids[key.base], key.id)
			}
		}
	}
	return q.bring(ids)
}

func (q *query) bring(ids [][]baseline.DocID) error {
	for base, list := range ids {
		if len(list) == 0 {
			continue
		}
		if err := q.e.bases[base].Bring(list, false); err != nil {
			return err
		}
	}
	return nil
}
