package notebook

import (
	"fmt"
	"strings"
	"testing"
)

const small = `{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": [
    "# A title\n",
    "by somebody"
   ]
  },
  {
   "cell_type": "code",
   "outputs": [{"data": {"text/plain": ["[[[\"source\"]]]"]}}],
   "source": [
    "%matplotlib inline\n",
    "x = f(\n",
    "  % y)\n"
   ]
  },
  {"cell_type": "code", "source": []},
  {
   "source": "ls?",
   "cell_type": "code"
  }
 ],
 "metadata": {"kernelspec": {"display_name": "Go", "language": "python"}, "language_info": {"name": "other"}},
 "nbformat": 4
}
`

// Example: each line of the script has the number that it has in the file.
func Example() {
	n, err := Read([]byte(small))
	if err != nil {
		fmt.Println(err)
		return
	}
	s := n.Script("#", n.Language == "python")
	for i, line := range strings.Split(string(s.Text), "\n") {
		if line != "" {
			fmt.Println(i+1, line)
		}
	}
	fmt.Println(s.Numbers, s.Code, s.Left)
	// Output:
	// 7 # # A title
	// 8 # by somebody
	// 15 # %matplotlib inline
	// 16 x = f(
	// 17   % y)
	// 22 # ls?
	// true 3 0
}

// TestFormats: the formats 3 and 4 are read; lines that share a line of the file are numbered in their order.
func TestFormats(t *testing.T) {
	for _, c := range []struct{ file, text string }{
		{`{"worksheets":[{"cells":[` + "\n" + `{"cell_type":"code","input":["a = 1\n",` + "\n" + `"b"],"outputs":[]}]}],"nbformat":3}`, "\na = 1\nb\n"},
		{`{"cells":[{"cell_type":"code","source":"a = 1\r\nb\n\nc"},{"cell_type":"raw","source":"x"},{"cell_type":"markdown","source":"y"}]}`, "a = 1\nb\n\nc\n\n# y\n\n"},
		{`{"cells":[{"cell_type":"code","source":["a = ","1","\n"]}]}`, "a = 1\n"},
		{`{"cells":[{"cell_type":"code","source":["%%html\n","<p>"]},{"cell_type":"code","source":["%%time\nf()"]}]}`, "# %%html\n# <p>\n\n# %%time\nf()\n\n"},
		{`{"cells":[{"cell_type":"code","source":["s = '''\n%d\n''' # (\n!ls\nx = 'it\\'s (' \\\n%y"]}]}`, "s = '''\n%d\n''' # (\n# !ls\nx = 'it\\'s (' \\\n%y\n\n"},
		{`{"cells":[{"cell_type":"code","source":7},[],{"cell_type":["code"]},"code"]}`, ""},
	} {
		n, err := Read([]byte(c.file))
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if got := string(n.Script("#", true).Text); got != c.text {
			t.Errorf("%s: %q, want %q", c.file, got, c.text)
		}
	}
}

// TestHostile: whatever is no notebook is an error, and work and memory grow with the length only.
func TestHostile(t *testing.T) {
	cell := func(source string) string { return `{"cells":[{"cell_type":"code","source":` + source + `}]}` }
	for name, file := range map[string]string{
		"empty": "", "null": "null", "no cells": `{"a":[{}]}`, "cut": small[:len(small)/2], "two": cell(`""`) + cell(`""`), "text": "x = 1\n",
		"nested": strings.Repeat("[", 1<<20), "deep": `{"metadata":` + strings.Repeat(`{"a":`, 1<<18), "lines": cell(`"` + strings.Repeat(`\n`, maxLines+1) + `"`),
	} {
		if n, err := Read([]byte(file)); err == nil {
			t.Errorf("%s: no error, %d cells", name, len(n.Cells))
		}
	}
	n, err := Read([]byte(cell("[" + strings.Repeat(`"a",`, 1<<19) + `"b"]`)))
	if err != nil || len(n.Cells) != 1 || len(n.Cells[0].Lines) != 1 || len(n.Cells[0].Lines[0].Text) != 1<<19+1 {
		t.Errorf("a line in pieces: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(small))
	f.Fuzz(func(t *testing.T, content []byte) {
		n, err := Read(content)
		if err != nil {
			return
		}
		s := n.Script("#", true)
		if s.Numbers && strings.Count(string(s.Text), "\n") > strings.Count(string(content), "\n")+1 {
			t.Errorf("%q has more lines than the file %q", s.Text, content)
		}
		if len(s.Text) > 4*len(content)+2 {
			t.Errorf("%d bytes of %d", len(s.Text), len(content))
		}
	})
}
