package bounded

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxKey bounds the name of a member, in bytes.
const maxKey = 4 << 10

var errObject = errors.New("not a JSON object")

// Object reads the members of a JSON object one after another, from a stream of any size. It holds one value at a time, and
// that only on request.
type Object struct {
	r     *bufio.Reader
	first bool
}

// NewObject begins to read an object.
func NewObject(r io.Reader) (*Object, error) {
	o := &Object{r: bufio.NewReaderSize(r, 64<<10)}
	return o, o.open()
}

// Inner begins to read the value of the member at hand, which must be an object. The caller reads it to its end.
func (o *Object) Inner() (*Object, error) {
	in := &Object{r: o.r}
	return in, in.open()
}

func (o *Object) open() error {
	o.first = true
	if c, err := o.token(); err != nil || c != '{' {
		return errors.Join(errObject, err)
	}
	return nil
}

// token returns the next byte that is no space.
func (o *Object) token() (byte, error) {
	for {
		c, err := o.r.ReadByte()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil || c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c, err
		}
	}
}

// Next returns the name of the next member. more is false at the end of the object. Before the next call, the member's value
// must be read: by Value, Skip or Inner.
func (o *Object) Next() (key string, more bool, err error) {
	c, err := o.token()
	if err != nil || c == '}' {
		return "", false, err
	}
	if !o.first {
		if c != ',' {
			return "", false, errObject
		}
		if c, err = o.token(); err != nil {
			return "", false, err
		}
	}
	o.first = false
	if c != '"' || o.r.UnreadByte() != nil {
		return "", false, errObject
	}
	raw, err := o.Value(maxKey)
	if err == nil {
		err = json.Unmarshal(raw, &key)
	}
	if err != nil {
		return "", false, err
	}
	if c, err = o.token(); err != nil || c != ':' {
		return "", false, errors.Join(errObject, err)
	}
	return key, true, nil
}

// Value returns the value of the member at hand, which may have at most limit bytes.
func (o *Object) Value(limit int) ([]byte, error) {
	var b bytes.Buffer
	err := o.scan(func(c byte) error {
		if b.Len() >= limit {
			return ErrTooMany
		}
		return b.WriteByte(c)
	})
	return b.Bytes(), err
}

// Skip passes over the value of the member at hand.
func (o *Object) Skip() error { return o.scan(func(byte) error { return nil }) }

// scan passes the bytes of one value to use. It finds the end of the value by its brackets and quotes.
func (o *Object) scan(use func(byte) error) error {
	c, err := o.token()
	depth, quoted := 0, false
	for ; err == nil; c, err = o.r.ReadByte() {
		if depth == 0 && !quoted && (c == ',' || c == '}' || c == ']') { // after a number or a word
			return o.r.UnreadByte()
		}
		if err = use(c); err != nil {
			return err
		}
		switch {
		case quoted && c == '\\':
			if c, err = o.r.ReadByte(); err == nil {
				err = use(c)
			}
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		default:
			continue
		}
		if err == nil && depth == 0 && !quoted {
			return nil
		}
		if err != nil {
			break
		}
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}
