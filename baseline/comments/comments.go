// Package comments finds the comments of a text that are distinctive and makes fingerprints of them. A Reader takes a text
// with its tokens. It returns comments, their fingerprints, and the runs of words that two texts share.
//
// Comments on licences, comments that quote a standard, and comments of tools are left out: unrelated code has them too.
package comments

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-provenance/git-provenance/baseline/fingerprint"
	"github.com/git-provenance/git-provenance/lang"
)

// Words is how many consecutive words of a comment two texts must share for the index to find them. A run of this length is
// always found, unless Distinctive leaves its comment out. It is the t of comments.
const Words = Gram + window - 1

// Gram is how many words make a fingerprint. At least one of every window consecutive grams is kept.
const (
	Gram   = 8
	window = 24
)

// Reader makes fingerprints of comments. They are in the index beside those of tokens, with a separate salt. The position
// of each is the token after its comment. Older baselines have no such fingerprints. Not safe for concurrent use.
type Reader struct {
	lang.Comments
	values, grams []uint64
	prints        []fingerprint.Fingerprint
}

// Read finds the comments of a text that can have fingerprints.
func (c *Reader) Read(l *lang.Language, text []byte, toks []lang.Token) {
	if l == lang.Words() || len(toks) == 0 {
		c.List = c.List[:0]
		return
	}
	c.Comments.Read(text, 0, toks, Words)
	if len(c.List) > 0 && lang.SaysGenerated(text) {
		c.List = c.List[:0]
	}
	c.List = Distinctive(text, c.Comments.Words, c.List)
}

// ReadAt reads the comments of a document at some positions that Prints gave, in ascending order. It decodes only the
// tokens around them.
func (c *Reader) ReadAt(text []byte, toks *lang.BlockStream, places []int) {
	c.Comments.ReadAt(text, toks, places, Words)
	c.List = Distinctive(text, c.Comments.Words, c.List)
}

// Prints appends the fingerprints of the comments, for the index.
func (c *Reader) Prints(dst []fingerprint.Fingerprint, key fingerprint.Key, family string, toks int) []fingerprint.Fingerprint {
	first := len(dst)
	for _, of := range c.List {
		c.gramsOf(of, key, family)
		c.prints = fingerprint.WinnowRobust(c.prints[:0], c.grams, window)
		for _, f := range c.prints {
			f.Pos = uint32(min(of.At, toks-1))
			dst = append(dst, f)
		}
	}
	return unique(dst, first)
}

// unique sorts the fingerprints from first on by hash and drops repetitions.
func unique(dst []fingerprint.Fingerprint, first int) []fingerprint.Fingerprint {
	slices.SortFunc(dst[first:], func(a, b fingerprint.Fingerprint) int {
		return cmp.Or(cmp.Compare(a.Hash, b.Hash), cmp.Compare(a.Pos, b.Pos))
	})
	return append(dst[:first], slices.CompactFunc(dst[first:], func(a, b fingerprint.Fingerprint) bool { return a.Hash == b.Hash })...)
}

// Queries appends the fingerprints of the comments, for look-ups in the index. The position of each is a word.
func (c *Reader) Queries(dst []fingerprint.Fingerprint, key fingerprint.Key, family string) []fingerprint.Fingerprint {
	for _, of := range c.List {
		c.gramsOf(of, key, family)
		c.prints = fingerprint.WinnowTies(c.prints[:0], c.grams, window)
		for _, f := range c.prints {
			f.Pos += uint32(of.From)
			dst = append(dst, f)
		}
	}
	return dst
}

// gramsOf hashes the runs of words of a comment.
func (c *Reader) gramsOf(of lang.Comment, key fingerprint.Key, family string) {
	salt := fingerprint.CommentSalt(family)
	c.values = c.values[:0]
	for _, w := range c.Comments.Words[of.From:of.To] {
		c.values = append(c.values, fingerprint.Value(salt, w.Kind))
	}
	c.grams = fingerprint.KGrams(c.grams[:0], c.values, Gram)
	key.Order(c.grams)
}

// Distinctive leaves out comments that unrelated code has too: those with a word about licences, quoted standards or tools, and
// those that Xcode, Qt's uic or Django writes into new files. If a tool says that it wrote the file, it returns none.
func Distinctive(text []byte, words []lang.Token, list []lang.Comment) []lang.Comment {
	out := list[:0]
	for _, of := range list {
		everybody := isOpening(words[of.From:of.To])
		for _, w := range words[of.From:of.To] {
			if met[w.Kind%uint32(len(met))] == 0 { // nearly all words
				continue
			}
			switch whose[strings.ToLower(string(text[w.Start:w.End]))] {
			case ofTool:
				return out[:0]
			case ofEverybody:
				everybody = true
			}
		}
		if !everybody {
			out = append(out, of)
		}
	}
	return out
}

// opening is how many words a comment of such a tool begins with that no other does.
const opening = 7

// isOpening reports whether a comment begins as one that a tool writes into new files. The tool may fill in a name before that.
func isOpening(words []lang.Token) bool {
	for _, named := range [...]int{0, djangoNamed, uicNamed} {
		if len(words) >= named+opening && openings[openingOf(words[named:])] {
			return true
		}
	}
	return false
}

// The words before an opening: "mysite", "Constructs a Form".
const (
	djangoNamed = 1
	uicNamed    = 3
)

// openings has the hash of the first words of each comment that Xcode writes into new files: delegates, controllers, tests. Then
// come comments of Django, of Qt's uic, of TeamCity and of .NET's manual. The last three are steps of RFC 3986, which its users
// quote.
var openings = func() map[uint64]bool {
	out := make(map[uint64]bool)
	for line := range strings.Lines(`put setup code here this method is
		put teardown code here this method is
		this is an example of a functional
		this is an example of a performance
		use xctassert and related functions to verify
		put the code you want to measure
		in ui tests it is usually best
		in ui tests it s important to
		ui tests must launch the application that
		override point for customization after application launch
		sent when the application is about to
		use this method to release shared resources
		use this method to save data release
		use this method to undo the changes
		use this method to optionally configure and
		restart any tasks that were paused or
		called when the application is about to
		called as part of the transition from
		called when a new scene session is
		called when the user discards a scene
		called as the scene is being released
		called as the scene transitions from the
		called when the scene has moved from
		called when the scene will move from
		this may occur due to temporary interruptions
		if any sessions were discarded while the
		sent when the system needs to launch
		tasks arrive in a set so loop
		insert code here to initialize your application
		insert code here to tear down your
		do any additional setup after loading the
		dispose of any resources that can be
		uncomment the following line to preserve selection
		uncomment the following line to display an
		get the new view controller using segue
		the persistent container for the application this
		replace this implementation with code to handle
		perform any final initialization of your application
		url configuration the urlpatterns list routes urls
		the urlpatterns list routes urls to views
		which is a child of parent with
		the settings script is an entry point
		compares the current instance with another object
		if the input buffer begins with a
		if the input buffer consists only of
		move the first path segment in the`) {
		var words []lang.Token
		for w := range strings.FieldsSeq(line) {
			words = append(words, lang.Token{Kind: lang.WordKind([]byte(w))})
		}
		out[openingOf(words)] = true
	}
	return out
}()

// openingOf hashes the first words of a comment.
func openingOf(words []lang.Token) (h uint64) {
	for _, w := range words[:min(opening, len(words))] {
		h = (h ^ uint64(w.Kind)) * 0x9E3779B97F4A7C15
	}
	return h
}

const (
	ofEverybody = 1
	ofTool      = 2
)

// whose lists the words for which Distinctive leaves out a comment.
var whose = func() map[string]int {
	out := make(map[string]int)
	for kind, words := range map[int]string{
		ofEverybody: "copyright copyrighted copyrights license licence licenses licences licensed licensing licensee licensor warranty warranties " +
			"redistribution redistributions redistribute merchantability spdx rfc rfcs w3c whatwg ieee isotech isoamsb isopub isonum isolat1 isolat2 " +
			"isogrk1 isogrk3 isogrk4 isoamso isoamsr isoamsa isoamsn isoamsc isobox isocyr1 isodia isomfrk isomopf isomscr ipsum generated " +
			"innerexception serializationinfo streamingcontext suppressmessage", // as in .NET's manual on exceptions and in files of Visual Studio
		ofTool: "bison yacc sphinx swig protoc",
	} {
		for w := range strings.FieldsSeq(words) {
			out[w] = kind
		}
	}
	return out
}()

// met has a mark for the kind of each of these words.
var met = func() (marks [1 << 12]byte) {
	for w := range whose {
		marks[lang.WordKind([]byte(w))%uint32(len(marks))] = 1
	}
	return marks
}()
