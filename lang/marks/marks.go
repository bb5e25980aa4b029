// Package marks has the marks of comments in all languages at once, for readers that do not know the language of a text.
package marks

// Block is a pair of marks that open and close a comment of several lines.
type Block struct{ Open, Close string }

// The pairs of C, which style sheets have too, and of HTML.
var (
	CStyle = Block{"/*", "*/"}
	HTML   = Block{"<!--", "-->"}
)

// Blocks lists the pairs of all languages.
var Blocks = []Block{
	CStyle, HTML, {`"""`, `"""`}, {"'''", "'''"}, {"(*", "*)"}, {"{-", "-}"},
	{"--[[", "]]"}, {"--[=[", "]=]"}, {"--[==[", "]==]"}, {"--[===[", "]===]"},
	{"=begin", "=end"}, {"=pod", "=cut"}, {"#|", "|#"}, {"<%--", "--%>"}, {"{#", "#}"}, {"#=", "=#"},
}
