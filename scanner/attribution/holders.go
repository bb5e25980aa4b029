package attribution

import (
	"slices"
	"strings"
	"unicode"
)

// Owns reports whether the statement names a holder of the origin's copyright.
func (s Statement) Owns(o Origin) bool {
	return slices.ContainsFunc(o.Holders, func(h string) bool { return SameHolder(h, s.Holder) })
}

// HeldByOwner reports whether the holder has the name of the origin's package or of its owner: "Redis Ltd." of redis/redis.
func (s Statement) HeldByOwner(o Origin) bool {
	holder := bare(s.Holder)
	return slices.ContainsFunc(strings.Split(o.Name, "/"), func(part string) bool {
		name := bare(part)
		return len(name) > 3 && strings.Contains(holder, name)
	})
}

// Holders lists the holders of a file's copyright, as its head states them, each once.
func Holders(ss []Statement) []string {
	var out []string
	met := map[string]bool{}
	for _, s := range ss {
		name := fold(s.Holder)
		if s.Kind != Copyright || !s.Head || met[name] {
			continue
		}
		met[name] = !slices.Contains(nobody, name)
		out = append(out, s.Holder)
	}
	return out
}

// AllHolders is Holders with the further ones of each line.
func AllHolders(ss []Statement) []string {
	out := Holders(ss)
	met := map[string]bool{}
	for _, h := range out {
		met[fold(h)] = true
	}
	for _, s := range ss {
		for _, h := range s.More {
			if name := fold(h); s.Head && !met[name] {
				met[name] = true
				out = append(out, h)
			}
		}
	}
	return out
}

// HoldersBelow reports whether a file names a holder below its head whom the head does not name. Which lines are whose is then not known.
func HoldersBelow(ss []Statement) bool {
	inHead := map[string]bool{}
	for _, h := range Holders(ss) {
		inHead[fold(h)] = true
	}
	return slices.ContainsFunc(ss, func(s Statement) bool { return s.Kind == Copyright && !s.Head && !inHead[fold(s.Holder)] })
}

// CommonHolders lists the holders of a that b has too.
func CommonHolders(a, b []string) (out []string) {
	met := map[string]bool{}
	for _, h := range b {
		for _, name := range eachName(h) {
			met[name] = true
		}
	}
	for _, h := range a {
		if slices.ContainsFunc(eachName(h), func(name string) bool { return met[name] }) {
			out = append(out, h)
		}
	}
	return out
}

// legal lists words that are not always part of a holder's name.
var legal = []string{"the", "inc", "llc", "ltd", "gmbh", "corp", "corporation", "co", "company", "limited", "ag", "sa", "project", "and", "other", "others",
	"its", "affiliates", "contributors", "incorporated", "plc", "by", "et", "al"}

// nobody lists names that identify no holder.
var nobody = []string{"", "authors", "author", "us", "me", "foundation", "developers", "team", "yyyy", "name", "xxx", "year your name"}

// SameHolder reports whether two names are those of one holder, or have a holder in common. Legal forms, articles and punctuation are
// ignored. Names that identify nobody are never the same.
func SameHolder(a, b string) bool {
	bs := eachName(b)
	return slices.ContainsFunc(eachName(a), func(name string) bool { return slices.Contains(bs, name) })
}

// joints stand between the holders that one line names: "Mesh TensorFlow authors, T5 Authors and HuggingFace Inc. team".
var joints = strings.NewReplacer(" and ", "\n", " & ", "\n", ", ", "\n")

// eachName returns the folded name of a holder. Of several holders it returns the name of all together and of each. A comma alone may
// stand within a name: "Byron, Ada". A single word may be part of the name of an institution: "University of Science and Technology".
func eachName(holder string) []string {
	out := []string{fold(holder)}
	if strings.Contains(holder, " and ") || strings.Contains(holder, " & ") {
		institution := strings.Contains(holder, " of ") || strings.Contains(holder, " for ")
		for part := range strings.SplitSeq(joints.Replace(holder), "\n") {
			if name := fold(part); !institution || strings.Contains(name, " ") {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(name string) bool { return slices.Contains(nobody, name) })
}

// placeholders stand for the name of a person. Git proposes the first as the name of an author.
var placeholders = []string{"your name", "author name", "full name", "unknown author"}

// SamePerson is SameHolder for people. Many people share a name of one word.
func SamePerson(a, b string) bool {
	x := fold(a)
	return strings.Contains(x, " ") && !slices.Contains(placeholders, x) && x == fold(b)
}

// HasOthers reports whether the name of a holder stands for other people too: "Ada Byron and contributors".
func HasOthers(holder string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(holder)), func(w string) bool {
		return slices.Contains([]string{"contributors", "other", "others", "al"}, strings.Trim(w, ",.;()"))
	})
}

// groups lists words at the end of a name that say whose people the holders are: "The HuggingFace Team".
var groups = []string{"authors", "developers", "team"}

// fold returns the significant words of a name.
func fold(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(legal, w) })
	if last := len(words) - 1; last > 0 && slices.Contains(groups, words[last]) {
		words = words[:last]
	}
	return strings.Join(words, " ")
}
