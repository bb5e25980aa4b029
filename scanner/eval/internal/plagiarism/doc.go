// Package plagiarism measures how well tools rank pairs of programs. Make turns real programs into disguised copies at six
// levels; the negatives are other people's solutions of the same exercise. Measure takes the scores of any tool and returns the
// area under the ROC curve and the recall above every negative, by level.
//
//	main.go        the command
//	make.go        sets of pairs; disguise.go: a disguised copy, by rewrite.go on the tree of tree.go; render.go: its layout
//	people.go, public.go, class.go  sets that people made
//	measure.go     scores of pairs → figures; differ.go: the difference of two tools, and its chance
//
// The levels are those of Faidhi and Robinson, each in addition to the ones before:
//
//	1  comments and docstrings go, layout and other comments come
//	2  every name that the program declares is another
//	3  functions and members change places, number types get wider, declarations lose their value
//	4  neighbouring statements that share no name change places, half of the constants are others
//	5  for becomes while, x++ and x += y become x = x + y, comparisons and branches turn round, statements move to new functions
//	6  one statement in eight goes, one in eight comes from another program, comparisons change
//
// A disguised copy need not compile: only its text is compared.
package plagiarism
