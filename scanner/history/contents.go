package history

import (
	"context"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/scanner/examine"
	"github.com/git-provenance/git-provenance/scanner/git"
)

// content is a content of the history that must be examined, with the first path that has it.
type content struct {
	path   string
	key    blobKey
	parent git.Hash // content of the file in the commit before
	read   func(context.Context) ([]byte, error)
	base   int      // index, among the versions of its job, of the version that it is compared with, or -1
	stored cacheKey // key of its outcome on disk
	known  *outcome // its outcome from the disk; nil if there is none
	lost   bool     // the repository lacks it, or a version that it is compared with
}

// job is versions of one file, in their order, or a step that is taken after all contents before it.
type job struct {
	versions []content
	step     func() error
}

// batch is how many contents are sorted by path before they are examined. Versions of one file match the same documents, which
// are then already decoded, and are stored as deltas of each other.
const batch = 16 << 10

// mostVersions is how many versions of a file make a job. The first is examined as a whole, and so is each version that comes
// from one with findings. The others are examined where they differ from the version that they come from.
const mostVersions = 128

// noteContents notes the contents of a commit that must be examined, within bounds. If the history begins in the middle, it also notes the old
// contents.
func (h *scan) noteContents(ctx context.Context, c *git.CommitChanges, files []git.Change) error {
	before := len(h.wanted)
	for _, ch := range files {
		h.noteContent(ch.Blob, ch.Path, ch.Old)
		if h.partial && ch.HasOld {
			h.noteContent(ch.Old, ch.OldPath, git.Hash{})
		}
	}
	for _, f := range c.Deleted {
		if h.partial {
			h.noteContent(f.Blob, f.Path, git.Hash{})
		}
	}
	var blobs []git.Hash
	for _, c := range h.wanted[before:] {
		blobs = append(blobs, c.key.blob)
	}
	return h.unfolds.Add(ctx, blobs...)
}

func (h *scan) noteContent(blob git.Hash, path string, parent git.Hash) {
	k := keyOf(blob, path)
	if id := k.cacheKey(); !h.sent[id] {
		h.sent[id] = true
		h.wanted = append(h.wanted, content{path: path, key: k, parent: parent, read: examine.Blob(h.repo, blob, h.e.Options().MaxFileSize)})
	}
}

// sendBatch sends the contents of some commits, then the commits.
func (h *scan) sendBatch(send func(j job, work bool) error) error {
	slices.SortStableFunc(h.wanted, func(a, b content) int { return strings.Compare(a.path, b.path) })
	for len(h.wanted) > 0 {
		n := 1
		for n < min(len(h.wanted), mostVersions) && h.wanted[n].path == h.wanted[0].path {
			n++
		}
		j := job{versions: h.wanted[:n:n]}
		if err := send(j, h.recall(j.versions)); err != nil {
			return err
		}
		h.wanted = h.wanted[n:]
	}
	for _, j := range h.steps {
		if err := send(j, false); err != nil {
			return err
		}
	}
	h.wanted, h.steps = nil, h.steps[:0]
	return nil
}

// base returns the index of the version with which version i of a file is compared: the version in the parent commit if the job has
// it, else version i-1. It returns -1 for the first version.
func base(versions []content, i int) int {
	if at := slices.IndexFunc(versions[:i], func(c content) bool { return c.key.blob == versions[i].parent }); at >= 0 {
		return at
	}
	return i - 1
}

// recall sets the version that each version is compared with, and reads their outcomes from the disk cache. It reports whether
// any outcome is missing. Without its content an outcome is not used: then the report is that of a run without a cache.
func (h *scan) recall(versions []content) (missing bool) {
	for i := range versions {
		c := &versions[i]
		c.stored, c.base, c.lost = c.key.cacheKey(), base(versions, i), h.cache != nil && !h.repo.Has(c.key.blob)
		if c.base >= 0 { // the ledger lists only what is new in this version
			c.stored = c.key.after(versions[c.base].stored)
			c.lost = c.lost || versions[c.base].lost
		}
		if !c.lost {
			c.known = h.cache.recall(c.stored)
		}
		missing = missing || c.known == nil
	}
	return missing
}

// examineJob examines the versions of a file whose outcomes are not known.
func examineJob(ctx context.Context, w *examine.Worker, j job) ([]*outcome, error) {
	outs := make([]*outcome, len(j.versions))
	var last []byte // text of the version before; nil if it was known
	for i, c := range j.versions {
		if c.known != nil {
			outs[i], last = c.known, nil
			continue
		}
		in := examine.Input{Path: c.path}
		unsure := false
		if c.base >= 0 {
			b := outs[c.base]
			in.Earlier, unsure = j.versions[c.base].earlier(b), b.missing || b.unsure
			if text := last; c.base == i-1 && text != nil && in.Earlier != nil {
				in.Earlier.Read = func(context.Context) ([]byte, error) { return text, nil }
			} else if in.Earlier != nil {
				in.Earlier.Read = notingFailure(in.Earlier.Read, &unsure)
			}
		}
		in.Read = func(ctx context.Context) (_ []byte, err error) {
			last, err = c.read(ctx)
			return last, err
		}
		out, err := w.Input(ctx, in)
		if err != nil {
			return nil, err
		}
		outs[i] = newOutcome(out)
		outs[i].unsure = unsure
	}
	return outs, nil
}

// notingFailure returns read, which then also notes whether it failed.
func notingFailure(read func(context.Context) ([]byte, error), failed *bool) func(context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		b, err := read(ctx)
		*failed = *failed || err != nil
		return b, err
	}
}

// earlier returns the version in the form that later versions are compared with; nil if it was not read or has findings.
func (c *content) earlier(o *outcome) *examine.Earlier {
	if o.missing || o.tokens == 0 || len(o.snapshots) > 0 {
		return nil
	}
	return &examine.Earlier{Read: c.read, Language: o.language, Longest: o.longest, Aligned: o.aligned}
}

// collect stores the outcomes of a job, or runs its step.
func (h *scan) collect(ctx context.Context, j job, outs []*outcome) error {
	if j.step != nil {
		return j.step()
	}
	for i, c := range j.versions {
		o := c.known
		if o == nil {
			o = outs[i]
		}
		if err := h.collectOne(ctx, c, o); err != nil {
			return err
		}
		h.done++
		h.o.Progress(h.done, max(h.done, int(h.expected.Load())))
	}
	return nil
}

func (h *scan) collectOne(ctx context.Context, c content, o *outcome) error {
	o.stored = c.stored
	h.outcomes[c.key.cacheKey()] = o
	switch {
	case c.known != nil:
		return nil
	case o.missing: // it may be there in the next run
		h.unread = true
		return nil
	}
	h.unread = h.unread || o.unsure
	h.cache.keep(o) // if storing fails, it is examined again
	if len(o.findings) == 0 {
		return nil
	}
	var err error
	if o.notices, err = h.noticesOf(ctx, c.path); err != nil {
		return err
	}
	if h.held += o.size(); h.held > heldBytes {
		h.held -= o.size()
		o.findings = nil
	}
	return nil
}
