package finding

import (
	"strings"
	"time"

	"github.com/git-provenance/git-provenance/baseline/purl"
)

// The reason of a direction, as a sentence: since when the target has the region, and since when the package of the origin.

// hereWords says since when the target has the region.
func (f *Finding) hereWords() string {
	words := f.headWords()
	if f.Here != nil && point(f.Here.OtherHistory) != nil {
		words += ", by " + day(*f.Here.OtherHistory.Time) + " in another history of this repository"
	}
	return words
}

// headWords says since when the scanned history has the region.
func (f *Finding) headWords() string {
	earliest, now := f.earliestOfMost()
	by := f.Latest()
	words := ""
	switch {
	case now:
		words = NotCommitted + " here"
		if _, why, ok := strings.Cut(f.Here.Note, NotCommitted+"; "); ok {
			words += " (" + why + ")"
		}
		return words
	case f.Here == nil && f.Introduced == nil:
		return "no history here"
	case earliest != nil && f.Introduced != nil && earliest.Equal(f.Introduced.Time):
		words = "here since " + day(*earliest)
	case earliest != nil && by != nil:
		words = "here after " + day(*earliest) + ", by " + day(*by)
	case earliest != nil:
		words = "here after " + day(*earliest)
	case by != nil:
		words = "here by " + day(*by)
	default:
		words = "here at an unknown time"
	}
	if f.Here == nil {
		return words
	}
	words += f.Here.halfWords()
	if f.Here.Note != "" {
		words += " (" + f.Here.Note + ")"
	}
	return words
}

// halfWords says since when a side has half of the region, if that is earlier than most of it.
func (in *Interval) halfWords() string {
	half, most := point(in.Half), in.Written
	if half == nil && in.Half != nil && in.Half.Commit != "" && in.Present != nil && in.Half.Commit != in.Present.Commit {
		return ", half of it since an earlier commit whose clock was wrong"
	}
	if most == nil {
		most = point(in.Present)
	}
	if half == nil || most == nil || !half.Add(Skew).Before(*most) {
		return ""
	}
	return ", half of it since " + day(*half)
}

// bulkWords says since when a side has four fifths of the region, if that is later than most of it.
func (in *Interval) bulkWords() string {
	switch {
	case in.Bulk == nil:
		return ""
	case in.Bulk.Time == nil:
		return ", never four fifths of it"
	}
	return ", four fifths of it since " + day(*in.Bulk.Time)
}

// thereWords says since when the origin's package has the region.
func (o *Origin) thereWords() string {
	first := o.firstSeen()
	words := "there " + o.thereTime()
	if first.Written != nil && first.Present != nil && first.Present.PURL != "" {
		words += ", released in " + purl.Version(first.Present.PURL)
	}
	words += first.halfWords() + first.bulkWords()
	if first.Absent != nil && first.Absent.PURL != "" {
		words += ", absent from " + purl.Version(first.Absent.PURL)
	}
	if first.Note != "" {
		words += " (" + first.Note + ")"
	}
	if o.vendored() {
		words += "; the package keeps it as code of others, who may have had it before"
	}
	return words
}

// sharedWords says when the commit was made that brought the region to both repositories.
func (f *Finding) sharedWords() string {
	words := "shared history: both repositories have it by the same commit"
	at := f.Latest()
	if f.Introduced != nil {
		at = &f.Introduced.Time
	}
	if at != nil {
		words += ", of " + day(*at)
	}
	return words
}

func (o *Origin) thereTime() string {
	first := o.firstSeen()
	absent, present := point(first.Absent), point(first.Present)
	switch {
	case first.Written != nil:
		return "since " + day(*first.Written)
	case absent != nil && present != nil:
		return "after " + day(*absent) + ", by " + day(*present)
	case absent != nil:
		return "after " + day(*absent)
	case present != nil:
		return "by " + day(*present)
	}
	return "at an unknown time"
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }
