package indexing

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-provenance/git-provenance/baseline/source"
)

// TestRemedy: the advice for what is missing fits the answer of its registry.
func TestRemedy(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&source.NotFoundError{PURL: "pkg:a/b@1", Tried: []string{"a registry"}}, "check the name"},
		{&source.NotFoundError{PURL: "pkg:a/b@1", Asked: true}, "check the name"},
		{&source.NotFoundError{PURL: "pkg:a/b@1", Asked: true, NoSource: true}, "only in compiled form"},
		{&source.NotFoundError{PURL: "pkg:a/b@1", Why: "it is private"}, "run the command again later"},
		{errors.New("no route"), "run the command again later"},
		{nil, "run the command again later"},
	} {
		var left LeftOut
		left.Lacking(source.Skipped{Path: "pkg:a/b@1", Reason: source.ReasonMissing, Detail: "why", Answer: source.AnswerOf(c.err)})
		left.Lacking(source.Skipped{Path: "pkg:c/d@1", Reason: source.ReasonMissing, Answer: source.NoPackage})
		var got *incompleteError
		if !errors.As(left.Incomplete(), &got) || !strings.Contains(got.Remedy(), c.want) {
			t.Errorf("%v: advice %q, want %q", c.err, got.Remedy(), c.want)
		}
	}
}
