package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/git-provenance/git-provenance/lang"
)

// A bare document keeps of its text only the tokens and the notices between them. The text that is rebuilt has names,
// literals, signs and lines in their old positions; everything else is blank. Instead of the text its blob has the zstd
// of
//
//	per shape, in the order of its first token:
//	uvarint  0 if its tokens have several texts, else 1 and the length of the one, which follows
//	         for the gap after the last token:
//	uvarint  its line breaks
//	         per gap between tokens of several lines, and for that one, last:
//	uvarint  0 if its line breaks come first, 1 if the gap is kept, else 2 and how many bytes
//	         follow the last of them
//	bytes    the kept gaps
//	bytes    the texts of the tokens of shapes with several
const (
	breaksFirst = iota
	gapKept
	breaksLater
)

// gap is the text between two tokens. The first of them may begin on an earlier line.
type gap struct {
	from, to     uint32
	before, next int // indexes of tokens; -1 before the first token, len(toks) after the last
}

// gapsOf lists the gaps between tokens that begin on different lines, and the gap after the last token.
func gapsOf(toks []lang.Token, lines []uint32, size uint32) []gap {
	var out []gap
	at, line, before := uint32(0), uint32(1), -1
	for i, t := range toks {
		if t.Start > at && lines[i] > line {
			out = append(out, gap{at, t.Start, before, i})
		}
		if t.End > at {
			at, line, before = t.End, lines[i], i
		}
	}
	return append(out, gap{at, max(at, size), before, len(toks)})
}

// breaks returns the number of line breaks in a gap, from the lines of its tokens. The last gap is not allowed. text
// needs to have the tokens only.
func (g gap) breaks(text []byte, toks []lang.Token, lines []uint32) uint32 {
	end := uint32(1)
	if g.before >= 0 {
		t := toks[g.before]
		end = lines[g.before] + newlines(text[t.Start:t.End])
	}
	return lines[g.next] - min(end, lines[g.next])
}

func newlines(b []byte) uint32 { return uint32(bytes.Count(b, []byte{'\n'})) }

// Bare makes a bare entry from a full one. keep reports whether the text between two tokens is a notice.
func (e *Encoder) Bare(full Entry, text []byte, toks []lang.Token, lines []uint32, keep func(gap []byte) bool) Entry {
	ids := make([]uint32, len(toks))
	shapes := shapeTexts(text, toks, ids)
	out := e.buf[:0]
	for _, s := range shapes {
		if s.several {
			out = append(out, 0)
			continue
		}
		out = append(binary.AppendUvarint(out, 1+uint64(len(s.text))), s.text...)
	}
	gaps := gapsOf(toks, lines, uint32(len(text)))
	last := gaps[len(gaps)-1]
	out = binary.AppendUvarint(out, uint64(newlines(text[last.from:last.to])))
	var kept []byte
	for _, g := range gaps {
		in := text[g.from:g.to]
		first := in[:newlines(in)]
		wrong := g.next < len(toks) && int(g.breaks(text, toks, lines)) != len(first) // tokens overlap
		switch {
		case wrong || len(bytes.TrimSpace(in)) > 0 && keep(in):
			out, kept = append(out, gapKept), append(kept, in...)
		case bytes.LastIndexByte(in, '\n') == len(first)-1:
			out = append(out, breaksFirst)
		default:
			out = binary.AppendUvarint(out, breaksLater+uint64(len(in)-1-bytes.LastIndexByte(in, '\n')))
		}
	}
	out = append(out, kept...)
	for i, t := range toks {
		if shapes[ids[i]].several {
			out = append(out, text[t.Start:t.End]...)
		}
	}
	full.Bare, full.TxtBlob, e.buf = true, e.z.EncodeAll(out, nil), out
	full.TokBlob = e.columns(toks, lines)
	return full
}

// shapeText is the text of the tokens of a shape, unless they have several texts.
type shapeText struct {
	text          []byte
	seen, several bool
}

// shapeTexts returns the text of each shape and fills ids with the shape of each token.
func shapeTexts(text []byte, toks []lang.Token, ids []uint32) []shapeText {
	out := make([]shapeText, len(number(toks, ids)))
	for i, t := range toks {
		s, is := &out[ids[i]], text[t.Start:t.End]
		if !s.seen {
			s.text, s.seen = is, true
		}
		s.several = s.several || !bytes.Equal(s.text, is)
	}
	return out
}

// bareText rebuilds the text of a bare document.
func (r *Reader) bareText(d Document, s *room) ([]byte, error) {
	if uint64(d.Size) > (uint64(d.tokLen)+uint64(d.textLen))*maxRatio {
		return nil, fmt.Errorf("a text of %d bytes", d.Size)
	}
	toks, lines, err := r.Stream(d)
	if err != nil {
		return nil, err
	}
	if s.out, err = r.blob(d.textOff, d.textLen, 2*uint64(d.Size)+2*binary.MaxVarintLen64*(uint64(d.Tokens)+1), s, s.out); err != nil {
		return nil, err
	}
	return fill(s.out, toks, lines, d.Size)
}

var errGap = errors.New("line breaks outside of a gap")

// fill puts the tokens, kept gaps and line breaks of a blob in their old positions.
func fill(blob []byte, toks []lang.Token, lines []uint32, size uint32) ([]byte, error) {
	r := reader{b: blob}
	ids := make([]uint32, len(toks))
	shapes := make([][]byte, len(number(toks, ids))) // nil if the tokens of the shape have several texts
	for i := range shapes {
		if n := r.uvarint(); n > 0 {
			shapes[i] = r.take(int(min(n-1, uint64(len(blob)))))
		}
	}
	last := r.uvarint()
	gaps := gapsOf(toks, lines, size)
	codes := make([]uint64, len(gaps))
	for i := range codes {
		codes[i] = r.uvarint()
	}
	text := bytes.Repeat([]byte{' '}, int(size))
	for i, g := range gaps {
		if codes[i] == gapKept {
			copy(text[g.from:g.to], r.take(int(g.to-g.from)))
		}
	}
	for i, t := range toks {
		is := shapes[ids[i]]
		if is == nil {
			is = r.take(int(t.End - t.Start))
		}
		copy(text[t.Start:t.End], is)
	}
	for i, g := range gaps {
		n := last
		if g.next < len(toks) {
			n = uint64(g.breaks(text, toks, lines))
		}
		if codes[i] != gapKept && !breakLines(text[g.from:g.to], n, codes[i]) {
			r.fail(errGap)
		}
	}
	if r.left() > 0 {
		r.fail(fmt.Errorf("%d bytes too many", r.left()))
	}
	return text, r.err
}

// breakLines puts n line breaks into a gap. It returns false if there is no room for them.
func breakLines(in []byte, n, code uint64) bool {
	size := uint64(len(in))
	if n > size {
		return false
	}
	for i := range n {
		in[i] = '\n'
	}
	if code < breaksLater || n == 0 {
		return true
	}
	behind := code - breaksLater
	if behind > size-n {
		return false
	}
	in[n-1], in[size-1-behind] = ' ', '\n'
	return true
}
