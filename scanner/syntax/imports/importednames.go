package imports

import "github.com/git-provenance/git-provenance/lang"

// ImportedNames lists the names that the import clauses of a text bring from elsewhere, each with the first word of its path: com for
// com.airbnb.epoxy.ModelView. It reads languages whose import paths are names. Imports from the text's own package are left out, if
// the path tells.
func ImportedNames(l *lang.Language, text []byte, tokens []lang.Token) map[string]string {
	out := map[string]string{}
	if l != nil && dotted[l.Syntax()] {
		brought(out, text, tokens)
	}
	return out
}

// dotted has the languages whose import paths are names, without Python, whose imports Find reads.
var dotted = map[string]bool{"java": true, "kotlin": true, "scala": true, "rust": true, "csharp": true, "php": true}

// brought reads import clauses whose paths are names. The last name of a path is what it brings; a path may have several in braces.
func brought(out map[string]string, text []byte, tokens []lang.Token) {
	root, own := "", false
	word := func(i int) string {
		if i >= len(tokens) || tokens[i].Flags&lang.FlagImport == 0 {
			return ""
		}
		return string(text[tokens[i].Start:tokens[i].End])
	}
	for i, t := range tokens {
		switch w := word(i); {
		case w == "" && string(text[t.Start:t.End]) == "package": // of Scala, where only its name is a clause
			own = true
		case w == "":
			root, own = "", false
		case w == "package", w == "namespace", w == "crate", w == "self", w == "super":
			root, own = "", true
		case w == "import", w == "use", w == "using", w == ";":
			root, own = "", false
		case t.Class != lang.Identifier || own:
		case root == "":
			root = w
		default:
			if next := word(i + 1); next != "." && next != "::" && next != "\\" {
				out[w] = root
			}
		}
	}
}
