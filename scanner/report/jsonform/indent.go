package jsonform

import "bytes"

// indent appends compact JSON in the form of json.Indent, two spaces a level. json.Encoder would read each byte of a
// report twice for that; its output needs no checking.
func indent(dst, js []byte) []byte { return indentAt(dst, js, 0) }

// indentAt is indent at a depth of a document.
func indentAt(dst, js []byte, depth int) []byte {
	for i := 0; i < len(js); {
		switch c := js[i]; c {
		case '"':
			end := i + 1 + stringEnd(js[i+1:])
			dst = append(dst, js[i:end]...)
			i = end
			continue
		case '{', '[':
			dst = append(dst, c)
			if i+1 < len(js) && js[i+1] == c+2 { // c+2 is the closing bracket, for both kinds
				dst = append(dst, js[i+1])
				i += 2
				continue
			}
			depth++
			dst = newline(dst, depth)
		case '}', ']':
			depth--
			dst = append(newline(dst, depth), c)
		case ',':
			dst = newline(append(dst, c), depth)
		case ':':
			dst = append(dst, ':', ' ')
		default:
			dst = append(dst, c)
		}
		i++
	}
	return dst
}

// stringEnd returns the end of a string that was opened before js.
func stringEnd(js []byte) int {
	for i := 0; i < len(js); {
		n := bytes.IndexByte(js[i:], '"')
		if n < 0 {
			break
		}
		i += n + 1
		if slashes := n - len(bytes.TrimRight(js[i-1-n:i-1], `\`)); slashes%2 == 0 {
			return i
		}
	}
	return len(js)
}

const blanks = "                                "

func newline(dst []byte, depth int) []byte {
	dst = append(dst, '\n')
	for n := 2 * depth; n > 0; n -= len(blanks) {
		dst = append(dst, blanks[:min(n, len(blanks))]...)
	}
	return dst
}
