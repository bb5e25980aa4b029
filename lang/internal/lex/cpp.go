package lex

// rawEnd is the place behind the raw string whose quote is at i, 0 if it is none.
func rawEnd(src []byte, i int) int { return 0 }
