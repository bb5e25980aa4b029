package units

import (
	"bytes"
	"context"
	"html"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/git-provenance/git-provenance/baseline/source"
	"github.com/git-provenance/git-provenance/lang"
)

// onlineText reports whether a file is a text that a student typed or pasted into a form of a learning platform, which wraps it in a
// page: onlinetext.html of Moodle, NAME_12345_text.html of Canvas. A page that a student wrote has other names.
func onlineText(name string) bool {
	return name == "onlinetext.html" || strings.HasSuffix(name, "_assignsubmission_onlinetext_onlinetext.html") || canvasText().MatchString(name)
}

var canvasText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[^/]+_\d+_text\.html$`) })

// blackboardReceipt is the name of the text that Blackboard adds to a submission: Task_user_attempt_2024-05-01-10-20-30.txt.
var blackboardReceipt = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^.+_[^_]+_attempt(_\d{4}(-\d\d){5}|_\d+)\.txt$`) })

// receiptText returns the text that a student typed, from a receipt of Blackboard. The receipt also has the student's name, the
// grade, remarks and the names of the files, in the language of the site. So only headings show where the text is: lines that end
// with a colon. The first heading begins the text, the last two begin the remarks and the files. A receipt without them has no
// text.
func receiptText(receipt string) string {
	lines := strings.Split(strings.ReplaceAll(receipt, "\r\n", "\n"), "\n")
	var heads []int
	for i, l := range lines {
		if strings.HasSuffix(l, ":") && strings.TrimLeft(l, " \t") == l && (i == 0 || lines[i-1] == "") {
			heads = append(heads, i)
		}
	}
	if len(heads) < 3 {
		return ""
	}
	text := strings.Trim(strings.Join(lines[heads[0]+1:heads[len(heads)-2]], "\n"), "\n") + "\n"
	if strings.HasPrefix(text, "<") {
		return typed(text)
	}
	return text
}

// unwrapped replaces pages of typed texts by the texts, as the files PAGE/text.SUFFIX: code, or .txt if the marks show no language
// (codeSuffix). It does the same for code in a file whose name hides its language.
func unwrapped(p *source.Package) *source.Package {
	return source.New(p.From, func(ctx context.Context, lim source.Limits, file func(string, []byte) error, skipped func(path, reason, detail string)) error {
		return p.Walk(ctx, lim, func(name string, data []byte) error {
			if onlineText(name) && utf8.Valid(data) {
				text := typed(string(data))
				return file(name+"/text"+codeSuffix(text), []byte(text))
			}
			if blackboardReceipt().MatchString(path.Base(name)) && utf8.Valid(data) {
				text := receiptText(string(data))
				return file(name+"/text"+codeSuffix(text), []byte(text))
			}
			if suffix := misnamed(name, data); suffix != "" {
				name += "/text" + suffix
			}
			return file(name, data)
		}, skipped)
	})
}

// Names that hide a language: additions of Windows, mail programs and editors after the suffix, or a suffix that says nothing.
var (
	behindSuffix = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(\.(txt|text|bak|old|orig|save|backup)|~| ?\(\d+\)| - (copy|kopie|copie|copia))+$`)
	})
	saysNothing = map[string]bool{"": true, ".txt": true, ".text": true, ".bak": true, ".old": true, ".orig": true, ".save": true, ".backup": true}
)

// shownText is how many bytes of a text without a suffix are searched for marks of a language.
const shownText = 2 << 10

// misnamed returns the suffix of the language of a file that has code but would be read as text because of its name, such as
// Main.java.txt, main.c~ or program.txt. It returns "" for other files.
func misnamed(name string, data []byte) string {
	d := lang.Detect(name, data)
	if d.Language.Name != "text" || d.Skip != "" {
		return ""
	}
	base := path.Base(name)
	inner := behindSuffix().ReplaceAllString(base, "")
	suffix := path.Ext(inner)
	if suffix != "" && inner != base && lang.Detect("code"+suffix, data).Language.Name != "text" {
		return suffix
	}
	if !saysNothing[strings.ToLower(path.Ext(inner))] {
		return ""
	}
	text := d.Text[:min(len(d.Text), shownText)]
	if bytes.Count(text, []byte("(")) < 2 { // lists of numbers and words
		return ""
	}
	if suffix = codeSuffix(string(text)); suffix == ".txt" {
		return ""
	}
	return suffix
}

// breaks are elements that begin and end on lines of their own.
var breaks = map[string]bool{"p": true, "div": true, "br": true, "li": true, "ul": true, "ol": true, "tr": true, "table": true, "pre": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "blockquote": true, "body": true, "html": true, "head": true, "hr": true}

// typed returns the text of a page. Editors write a line as a paragraph or in front of a break, and blanks as no-break spaces.
func typed(page string) string {
	t := typedText{fresh: true}
	for rest := page; rest != ""; {
		open := strings.IndexByte(rest, '<')
		if open < 0 {
			open = len(rest)
		}
		if t.hidden == "" {
			t.add(rest[:open])
		}
		if rest = rest[open:]; rest == "" {
			break
		}
		tag, closes, after := tagOf(rest)
		if after < 0 {
			t.add(rest)
			break
		}
		if after == 0 {
			t.add(rest[:1])
			rest = rest[1:]
			continue
		}
		rest = rest[after:]
		t.tag(tag, closes)
	}
	return strings.TrimRight(t.b.String(), " \n") + "\n"
}

// typedText is the text of a page up to a tag.
type typedText struct {
	b      strings.Builder
	fresh  bool   // nothing is on the line yet
	pre    int    // 1 inside of pre, else 0
	hidden string // the element, not shown, that the text after the tag is in
}

// add writes text between two tags.
func (t *typedText) add(s string) {
	s = strings.ReplaceAll(html.UnescapeString(s), "\u00a0", " ")
	if s = strings.ReplaceAll(s, "\r", ""); t.pre == 0 {
		if t.fresh {
			s = strings.TrimLeft(s, "\n")
		}
		if s = strings.ReplaceAll(s, "\n", " "); t.fresh && strings.TrimSpace(s) == "" {
			return
		}
	}
	if s != "" {
		t.b.WriteString(s)
		t.fresh = s[len(s)-1] == '\n'
	}
}

// tag begins or ends an element.
func (t *typedText) tag(tag string, closes bool) {
	switch {
	case t.hidden != "":
		if closes && tag == t.hidden {
			t.hidden = ""
		}
	case !closes && (tag == "script" || tag == "style" || tag == "title"):
		t.hidden = tag
	case tag == "br" || breaks[tag] && !t.fresh:
		t.b.WriteByte('\n')
		t.fresh = true
	}
	if tag == "pre" {
		if t.pre = max(0, t.pre-1); !closes {
			t.pre++
		}
	}
}

// tagOf reads the tag or comment that a text begins with: its name, whether it closes, and its length. The length is 0 if it is none,
// and -1 if its end is missing: then there is no tag after it either.
func tagOf(s string) (name string, closes bool, length int) {
	if strings.HasPrefix(s, "<!--") {
		end := strings.Index(s, "-->")
		if end < 0 {
			return "", false, -1
		}
		return "", false, end + len("-->")
	}
	inner, closes := strings.CutPrefix(s[1:], "/")
	n := 0
	for n < min(len(inner), longestTag) && (inner[n]|0x20 >= 'a' && inner[n]|0x20 <= 'z' || n > 0 && inner[n] >= '0' && inner[n] <= '9' || n == 0 && inner[n] == '!') {
		n++
	}
	if n == 0 {
		return "", false, 0
	}
	end := strings.IndexByte(s, '>')
	if end < 0 {
		return "", false, -1
	}
	return strings.ToLower(inner[:n]), closes, end + 1
}

// longestTag bounds the name of a tag.
const longestTag = 16

// marked is a language with its marks: expressions of which code of the language has several, and other text hardly any.
type marked struct {
	suffix string
	marks  []*regexp.Regexp
}

var markedLanguages = sync.OnceValue(func() (out []marked) {
	for _, l := range [][]string{
		{".java", `^\s*import\s+(static\s+)?[\w.]+(\.\*)?;`, `\bSystem\.(out|err|in)\b`, `^\s*(public|private|protected)\s[\w<>\[\], ]*\b(class|interface|enum)\s+\w+`,
			`\bstatic\s+void\s+main\s*\(\s*(final\s+)?String`, `^\s*package\s+[\w.]+;`, `^\s*@Override\b`, `\bString(\[\])?\s+\w+\s*[=;,)]`, `\bthrows\s+\w+`, `\bthrow new\b`, `\b(final|boolean)\s+\w+`,
			`^\s*(public|private|protected)\s+[\w<>\[\], ]+\(.*[{,;]\s*$`},
		{".cs", `^\s*using\s+[\w.]+;`, `^\s*namespace\s+[\w.]+\s*[{;]?\s*$`, `\bConsole\.(Write|Read)`, `\bstatic\s+(async\s+)?(void|int|Task)\s+Main\s*\(`, `\{\s*get;`, `\bstring(\[\])?\s+\w+\s*[=;,)]`,
			`\bforeach\s*\(`, `\b(override|virtual|readonly|bool)\s+\w+`, `\bvar\s+\w+\s*=\s*new\b`, `^\s*(public|private|protected|internal)\s+[\w<>\[\], ?]+\(.*\)\s*\{?\s*$`},
		{".c", `^\s*#\s*(include|define|ifdef|ifndef|endif)\b`, `\b(f|s)?printf\s*\(`, `\bscanf\s*\(`, `\b(int|void)\s+main\s*\(`, `\b(malloc|sizeof|free|strlen|memcpy)\s*\(`, `\bstruct\s+\w+`, `\w->\w`, `\bNULL\b`,
			`^\s*(static\s+|const\s+|unsigned\s+)*(int|void|char|double|float|unsigned|long|size_t)\s+\*?\w+\s*[\[(=;,]`},
		{".cpp", `\bstd::\w`, `^\s*using\s+namespace\b`, `\bcout\s*<<`, `\bcin\s*>>`, `^\s*template\s*<`, `^\s*(public|private|protected):\s*$`, `\w+::~?\w+\s*\(`, `\bnullptr\b`, `^\s*#\s*include\s*<\w+>`},
		{".py", `^\s*(async\s+)?def\s+\w+\(`, `^\s*(from\s+[\w.]+\s+)?import\s+[\w., ()*]+\s*$`, `^\s*(if|elif|else|for|while|try|except|finally|with|class)\b.*:\s*(#.*)?$`, `\bself\.\w`, `^\s*print\s*\(`, `\b__\w+__\b`,
			`\b(None|True|False)\b`, `\b(len|range|isinstance|str|int|input)\(`, `^\s*(return|raise|assert|yield|pass)\b[^;{]*$`},
		{".js", `\bconsole\.\w+\(`, `\b(const|let)\s+[\w{\[$].*=`, `\bfunction\b\s*\w*\s*\(`, `=>\s*[{(\w]`, `[!=]==`, `\brequire\(['"]`, `^\s*(import|export)\b.*\bfrom\s+['"]`, `\b(document|window|module|this)\.\w`, `\bvar\s+\w+\s*(=|;)`,
			`^\s*export\s+(default|const|function|class)\b`},
		{".ts", `:\s*(string|number|boolean|void|any|unknown)\b`, `^\s*(export\s+)?(declare\s+)?(interface|type)\s+\w+`, `\b(readonly|keyof|implements)\b`, `\bas\s+[A-Z]\w*`},
		{".go", `^package\s+\w+\s*$`, `^\s*func\s*(\(\w*\s*\*?[\w\[\]]+\)\s*)?\w*\(`, `\w\s*:=\s`, `\bfmt\.[A-Z]`, `^\s*import\s*(\(|")`, `\b(err|nil)\b`, `^\s*type\s+\w+\s+(struct|interface|func|\w+)\b`, `\brange\s+\w`, `\b(defer|chan|make)\b`},
		{".kt", `\bfun\s+[\w<.]+.*\(`, `\bval\s+\w+`, `\bvar\s+\w+\s*[:=]`, `\bprintln\(`, `\bwhen\s*[({]`, `\b(override|suspend|data|companion|internal)\s+(fun|class|object|val)\b`, `\w\?\.\w`},
		{".php", `<\?php`, `\$\w+\s*(=|->|\[|,|\)|;)`, `\$this->`, `\becho\s`, `\bfunction\s+\w*\s*\(.*\$`},
		{".rs", `\bfn\s+\w+`, `\blet\s+(mut\s+)?\w+`, `\b(println|format|vec|assert_eq|panic)!`, `\bimpl\b`, `&mut\b`, `^\s*(pub\s+)?use\s+[\w:]+`, `->\s*[\w&<]`, `\bmatch\s.*\{`, `^\s*#!?\[\w+`, `\bpub\s+(fn|struct|enum|mod|const)\b`, `\b(Some|None|Ok|Err)\b`},
		{".rb", `^\s*def\s+(self\.)?\w+[?!]?(\(.*\))?\s*$`, `^\s*end\s*$`, `\bputs\s`, `\bdo(\s*\|.*\|)?\s*$`, `^\s*require(_relative)?\s+['"]`, `(^|\s)@\w+\b`, `\.\w+[?!](\s|$)`, `^\s*(attr_\w+|module|include)\s`},
		{".swift", `\bfunc\s+\w+\s*(<[^>]*>)?\(.*(\w:\s|\(\)\s*(throws\s*)?(->.*)?\{\s*$)`, `\b(let|var)\s+\w+\s*(:\s*[\[(]?[A-Z]|=\s*[^;]*[^;\s]\s*$)`, `\bguard\s.*\belse\b`, `\bif\s+(let|var)\s`,
			`\)\s*(throws\s*)?->\s*[\[(]?[A-Z]`, `^\s*(\w+\s+)*(extension|protocol)\s+\w+.*\{\s*$`, `^\s*import\s+(Foundation|UIKit|XCTest|SwiftUI|Darwin|Cocoa|Glibc)\s*$`, `\.\.<|\w\.\.\.\w`,
			`\b(inout|mutating|fileprivate|deinit)\b`, `\binit\??\((_|\w+)\s*\w*:`, `\[[A-Z]\w*\]\(`},
		{".scala", `\bdef\s+\w+.*=\s*(\{|$|\w)`, `^\s*(case\s+)?object\s+\w+(\s+extends\s+\w+.*)?\s*\{?\s*$`, `\bcase\s+class\b`, `^\s*case\s.*=>`, `\b(trait|implicit|lazy\s+val)\s+\w+`,
			`:\s*(Unit|(Array|List|Seq|Option|Map|Vector)\[.*\])\s*[=,){]`, `\w\s+<-\s`, `^\s*import\s+[\w.]+\.(_|\{.*\})\s*$`, `\bmatch\s*\{`, `\w\[[A-Z]\w*\]\(`, `\bextends\s+App\b`},
		{".sh", `^#!.*\b(ba|da|k|z)?sh\b`, `^\s*echo\s`, `"\$\{?\w+`, `(^|\s)(\[|\[\[|test)\s.*\s(-[a-z]{1,2}|==?|!=)\s`, `;?\s*\bthen\s*$`, `^\s*(fi|done|esac)\b`, `;\s*do\s*$`, `\$\(`, `^\s*(export|local|readonly|declare)\s+(-\w\s+)?\w+=|^\s*\w+="?\$`, `^\s*read\s+(-\w\s+)*\w+\s*$`,
			`\$[\d@#?*]`, `^\s*(function\s+)?\w+\s*\(\)\s*\{?\s*$`, "`\\w+.*`", `\|\s*(grep|sed|awk|cut|sort|head|wc|tr|xargs)\b`},
		{".lua", `\blocal\s+(function\s+)?\w+`, `^\s*end[,);]*\s*$`, `\bthen\s*$`, `\bfunction\s+[\w.:]*\(.*\)\s*$`, `\bdo\s*$`, `~=`, `\w\s*\.\.\s*["(]`, `=\s*#\w|\b#\w`, `\b(pairs|ipairs|tostring|tonumber|setmetatable)\(`,
			`\b(io|string|table)\.\w+\(`, `\b(nil|elseif|repeat)\b`, `^\s*(print|require)\s*\(`},
	} {
		m := marked{suffix: l[0]}
		for _, expr := range l[1:] {
			m.marks = append(m.marks, regexp.MustCompile(expr))
		}
		out = append(out, m)
	}
	return out
})

// Bounds of the marks that a text needs to count as code.
const (
	markedKinds = 2       // different marks
	markedPart  = 12      // at least one line in 12 has a mark
	markedLead  = 1.2     // times as many lines as of any other language
	markedText  = 1 << 16 // bytes that are read
)

// relatives lists languages that share many marks with others. A text with marks of both is in the language of the key.
var relatives = map[string][]string{".cpp": {".c"}, ".java": {".c"}, ".cs": {".c"}, ".ts": {".js"}, ".swift": {".js", ".py"}, ".scala": {".kt", ".py"}}

// include is a line that only C and C++ have, whatever else is in a text.
var include = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*#\s*include\s*[<"]`) })

// codeSuffix returns the suffix of the language of a text by its marks. It returns ".txt" if no language has clearly more marks
// than the others.
func codeSuffix(text string) string {
	lines := bytes.Split([]byte(text[:min(len(text), markedText)]), []byte{'\n'})
	full := 0
	for _, l := range lines {
		if len(bytes.TrimSpace(l)) > 0 {
			full++
		}
	}
	hits, kinds := make(map[string]int), make(map[string]int)
	for _, m := range markedLanguages() {
		found := make([]bool, len(m.marks))
		for _, l := range lines {
			hit := false
			for i, x := range m.marks {
				if x.Match(l) {
					hit, found[i] = true, true
				}
			}
			if hit {
				hits[m.suffix]++
			}
		}
		for _, f := range found {
			if f {
				kinds[m.suffix]++
			}
		}
	}
	if slices.ContainsFunc(lines, include().Match) {
		maps.DeleteFunc(hits, func(suffix string, _ int) bool { return suffix != ".c" && suffix != ".cpp" })
		maps.DeleteFunc(kinds, func(suffix string, _ int) bool { return suffix != ".c" && suffix != ".cpp" })
	}
	alone, less := maps.Clone(hits), make(map[string]bool)
	for own, others := range relatives {
		if kinds[own] < markedKinds {
			continue
		}
		for _, of := range others {
			hits[own] += alone[of]
			less[of] = true
		}
	}
	for of := range less {
		hits[of] = 0
	}
	best, second := "", 0
	for _, m := range markedLanguages() {
		switch n := hits[m.suffix]; {
		case best == "" || n > hits[best]:
			if best != "" {
				second = max(second, hits[best])
			}
			best = m.suffix
		default:
			second = max(second, n)
		}
	}
	if kinds[best] < markedKinds || hits[best]*markedPart < full || float64(hits[best]) < markedLead*float64(second) {
		return ".txt"
	}
	return best
}
