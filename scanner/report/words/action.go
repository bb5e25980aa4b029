package words

import (
	"strings"

	"github.com/git-provenance/git-provenance/baseline/license"
	"github.com/git-provenance/git-provenance/scanner/finding"
	"github.com/git-provenance/git-provenance/scanner/report/order"
)

// Action says what to do about a finding. It depends on a person's decision, on the verdict, on which side is older,
// and on whether the licence fits.
func Action(f *finding.Finding) Line {
	if l := settled(f); l != nil {
		return l
	}
	if f.Alive != nil && !*f.Alive {
		return noneOr(f, "the region is gone", "")
	}
	if why := harmless(f); why != "" {
		return noneOr(f, why, orRemove)
	}
	if f.Compatibility != nil && f.Compatibility.Answer == license.FitsNot {
		return orAccept(f, "replace the code or obtain another licence")
	}
	switch f.Verdict {
	case finding.Attributed:
		return noneOr(f, "keep the notice", orRemove)
	case finding.CommonCode:
		return noneOr(f, "many packages contain this code", orRemove)
	case finding.AttributedElsewhere:
		return noneOr(f, "the code names another source", orRemove)
	case finding.AttributionWrong:
		return orAccept(f, "correct the notice")
	case finding.LicenceStripped:
		return orAccept(f, "restore the licence header")
	}
	if len(f.Origins) > 0 && order.FirstOrigin(f).License == license.NoAssertion {
		return orAccept(f, "find out the licence of the origin, then add its notice")
	}
	return orAccept(f, "add the notice")
}

// settled returns the action for a finding that asks for no action, nil for others.
func settled(f *finding.Finding) Line {
	var l Line
	switch a := f.Allowed; {
	case a != nil:
		l.plain("none: accepted by ")
		l = append(l, Accepted(a)...)
	case order.Quiet(f):
		l.plain("none: the policy ignores it")
	default:
		return nil
	}
	return finish(l, f)
}

// harmless says why no action is needed whatever the verdict, "" if there is no reason.
func harmless(f *finding.Finding) string {
	switch {
	case f.Direction == finding.DirectionTo:
		return "this code is older"
	case order.FirstOrigin(f).SameOwner:
		return "both sides have the same owner"
	case f.Holder() != "":
		return "a holder of its copyright brought it here"
	case f.SharedHistory() && f.Verdict == finding.Undeclared && passes(f):
		return "it came with its history"
	}
	return ""
}

// passes reports whether the policy lets the finding pass.
func passes(f *finding.Finding) bool { return order.LevelRank(f.Level) >= order.LevelRank("note") }

const orRemove = ", or remove the code"

// noneOr returns no action if the policy lets the finding pass. Otherwise the finding has to be accepted; other is an
// alternative, if there is one.
func noneOr(f *finding.Finding, why, other string) Line {
	var l Line
	if passes(f) {
		l.plain("none: %s", why)
		return finish(l, f)
	}
	l.plain("%s; accept finding ", why)
	l.add(Name, f.ID)
	l.plain(" with a reason%s", other)
	return l
}

// finish appends the finding's id.
func finish(l Line, f *finding.Finding) Line {
	l.plain("; finding ")
	l.add(Name, f.ID)
	return l
}

// orAccept returns a remedy for a copy. If dates do not prove that this side is the copy, a person has to find out.
func orAccept(f *finding.Finding, remedy string) Line {
	const remove = "remove the code"
	known := f.Direction == finding.DirectionFrom
	var l Line
	switch replaces := strings.HasPrefix(remedy, "replace"); {
	case known && replaces:
		l.plain("%s, or accept finding ", remedy)
	case known:
		l.plain("%s, %s, or accept finding ", remedy, remove)
	case replaces:
		l.plain("if this is the copy, %s; otherwise accept finding ", remedy)
	default:
		l.plain("if this is the copy, %s or %s; otherwise accept finding ", remedy, remove)
	}
	l.add(Name, f.ID)
	l.plain(" with a reason")
	return l
}

// Accepted says who accepted a finding, why, and until when.
func Accepted(a *finding.Allowance) Line {
	var l Line
	l.add(Said, a.By)
	if a.Reason != "" {
		l.plain(": ")
		l.add(Said, a.Reason)
	}
	if a.Expires != "" {
		l.plain(" (until ")
		l.add(Said, a.Expires)
		l.plain(")")
	}
	return l
}
