package history

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/git-provenance/git-provenance/scanner/finding"
)

// brief is the part of an outcome that every run needs.
type brief struct {
	Files     int             `json:"f"`
	Bytes     int64           `json:"b"`
	Tokens    int64           `json:"t"`
	Language  string          `json:"l,omitempty"`
	Longest   int64           `json:"m,omitempty"`
	Aligned   bool            `json:"a,omitempty"`
	Entries   []finding.Entry `json:"e,omitempty"`
	Snapshots []snapshot      `json:"s,omitempty"`
	Notices   uint64          `json:"n,omitempty"`
}

// stored is a finding with the fields that its JSON omits.
type stored struct {
	finding.Finding
	Inline *storedInline `json:",omitempty"`
}

// recall returns a stored outcome, or nil.
func (m *diskCache) recall(k cacheKey) *outcome {
	if m == nil {
		return nil
	}
	p, ok := m.known[k]
	if !ok {
		return nil
	}
	body := make([]byte, p.size)
	if _, err := p.file.ReadAt(body, p.at); err != nil || recordSum(k, body) != p.sum || len(body) < 4 {
		return nil
	}
	n := int(binary.LittleEndian.Uint32(body))
	if n > len(body)-4 {
		return nil
	}
	var b brief
	if json.Unmarshal(body[4:4+n], &b) != nil || !b.sound() {
		return nil
	}
	o := &outcome{files: b.Files, bytes: b.Bytes, tokens: b.Tokens, language: b.Language, longest: b.Longest, aligned: b.Aligned, entries: b.Entries, snapshots: b.Snapshots, notices: b.Notices}
	if rest := body[4+n:]; len(rest) > 0 {
		o.packed = rest
	}
	return o
}

// sound reports whether a brief has the values that every written one has.
func (b *brief) sound() bool {
	for i := range b.Snapshots {
		if s := &b.Snapshots[i]; len(s.Content) == 0 || s.At < 0 {
			return false
		}
	}
	return true
}

// unpack returns the findings of a stored outcome, or nil if they were not stored.
func (o *outcome) unpack() []finding.Finding {
	var ks []stored
	err := json.NewDecoder(io.LimitReader(flate.NewReader(bytes.NewReader(o.packed)), 8*maxRecord)).Decode(&ks)
	if err != nil {
		return nil
	}
	return unshelve(ks)
}

func shelve(fs []finding.Finding) []stored {
	out := make([]stored, len(fs))
	for i, f := range fs {
		out[i] = stored{f, shelveInline(f.Inline)}
	}
	return out
}

func unshelve(ss []stored) []finding.Finding {
	out := make([]finding.Finding, len(ss))
	for i, s := range ss {
		out[i] = s.Finding
		out[i].Inline = s.Inline.unshelve()
	}
	return out
}

// keep adds an outcome, with its findings only if they are needed for a report.
func (m *diskCache) keep(o *outcome) error {
	if m == nil || o.unsure || m.size+int64(m.pending.Len()) > maxCache/2 {
		return nil
	}
	b, err := json.Marshal(brief{o.files, o.bytes, o.tokens, o.language, o.longest, o.aligned, o.entries, o.snapshots, o.notices})
	if err != nil {
		return fmt.Errorf("remember %x: %w", o.stored, err)
	}
	body := append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
	if o.began {
		if body, err = pack(body, shelve(o.findings)); err != nil {
			return fmt.Errorf("remember %x: %w", o.stored, err)
		}
	}
	if len(body) > maxRecord {
		return nil
	}
	if m.pending.Len() == 0 {
		m.since = time.Now()
		m.pending.WriteString(CacheMagic)
	}
	key := o.stored
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(body)))
	head = binary.LittleEndian.AppendUint32(head, recordSum(key, body))
	m.pending.Write(head)
	m.pending.Write(key[:])
	m.pending.Write(body)
	if m.pending.Len() > pendingBytes || time.Since(m.since) > pendingTime {
		return m.flush()
	}
	return nil
}

// pack appends the deflated JSON of a value.
func pack(body []byte, v any) ([]byte, error) {
	out := bytes.NewBuffer(body)
	z, err := flate.NewWriter(out, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	err = errors.Join(json.NewEncoder(z).Encode(v), z.Close())
	return out.Bytes(), err
}
