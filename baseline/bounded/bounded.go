// Package bounded decodes texts that other people wrote, such as lock files and the answers of registries. A decoder can take a
// hundred times the memory of a text that consists of empty values, so the values are counted before any is decoded. The
// package knows no format.
package bounded

import (
	"encoding/json"
	"errors"
	"fmt"

	"gopkg.in/yaml.v3"
)

// maxValues bounds the values of one text. Lock files of 20,000 packages have 700,000.
const maxValues = 1 << 21

// maxDepth bounds nesting. Real texts have fewer than 20 levels.
const maxDepth = 1000

// ErrTooMany reports that a text exceeds these bounds.
var ErrTooMany = errors.New("it lists more entries, or nests them deeper, than any real one")

// Check refuses a text with too many values or too deep brackets. It counts the characters that begin or separate values in
// JSON, TOML, YAML, XML and in lines. Those inside of strings count too: they make up a small part of real texts.
func Check(data []byte) error {
	values, depth := 0, 0
	for _, c := range data {
		switch c {
		case '[', '{':
			values++
			depth++
		case ']', '}':
			depth = max(0, depth-1)
		case ',', '<', '=', '\n':
			values++
		}
		if values > maxValues || depth > maxDepth {
			return ErrTooMany
		}
	}
	return nil
}

// JSON decodes a text.
func JSON(data []byte, into any) error {
	if err := Check(data); err != nil {
		return err
	}
	err := json.Unmarshal(data, into)
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // its own words name types of Go
		return fmt.Errorf("unexpected %s at byte %d", kind.Value, kind.Offset)
	}
	return err
}

// YAML decodes the first document of a text. The library panics on some invalid input.
func YAML(data []byte, into any) (err error) {
	if err := Check(data); err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("not YAML: %v", r)
		}
	}()
	return yaml.Unmarshal(data, into)
}
