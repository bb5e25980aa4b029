package attribution

import "testing"

// TestAttributes: attributes of Rust and PHP are code above or within a head; lines of other languages that begin alike are comments.
func TestAttributes(t *testing.T) {
	for _, s := range []string{
		"#[derive(Debug, Clone)]", "#![no_std]", "#[path = \"x.rs\"]", "#[rustfmt::skip]", "#[\\ReturnTypeWillChange]", "#[Attribute]", "#[A, B(1)] // x", "#[ORM\\Column(", "#[cfg_attr",
	} {
		if l, _ := comment(s, ""); !l.code || !l.opening {
			t.Errorf("%s is a comment", s)
		}
	}
	for s, want := range map[string]string{
		"#[1] copied from https://example.org/a.py": "[1] copied from https://example.org/a.py", "#[copied from zlib 1.2.11]": "[copied from zlib 1.2.11]",
		"#[]": "[]", "#[ Copyright 2020 Ada ]": "[ Copyright 2020 Ada ]", "#[https://example.org]": "[https://example.org]",
	} {
		if l, _ := comment(s, ""); l.code || l.text != want {
			t.Errorf("%s is %+v, want the comment %q", s, l, want)
		}
	}
}
