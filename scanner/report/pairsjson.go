package report

import (
	"io"

	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/jsonform"
	"github.com/git-provenance/git-provenance/scanner/similar"
)

// pairsJSON writes a result. Its lists are written item by item: units, pairs and ledger of a million files do not fit into memory
// together with their JSON.
func pairsJSON(w io.Writer, r *similar.Result) error {
	rest := *r
	rest.Pairs = []similar.UnitPair{}
	var lists []jsonform.List
	if len(r.Units) > 0 {
		rest.Units = []similar.Unit{}
		lists = append(lists, jsonform.ListOf("units", r.Units))
	}
	lists = append(lists, jsonform.List{Name: "pairs", Each: func(item func(any) error) error {
		return r.Each(func(p *similar.UnitPair) error { return item(p) })
	}})
	if len(r.Ledger) > 0 {
		rest.Ledger = []finding.Entry{}
		lists = append(lists, jsonform.ListOf("ledger", r.Ledger))
	}
	return jsonform.EncodeLists(w, &rest, lists...)
}

// clustersJSON writes clusters in the same way.
func clustersJSON(w io.Writer, c *similar.Clusters) error {
	rest := *c
	var lists []jsonform.List
	if len(c.Clusters) > 0 {
		rest.Clusters = []similar.Cluster{}
		lists = append(lists, jsonform.ListOf("clusters", c.Clusters))
	}
	if len(c.Ledger) > 0 {
		rest.Ledger = []finding.Entry{}
		lists = append(lists, jsonform.ListOf("ledger", c.Ledger))
	}
	return jsonform.EncodeLists(w, &rest, lists...)
}
