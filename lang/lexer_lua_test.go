package lang

import "testing"

// Long brackets, numbers and their suffixes, and what only reserved words or places tell apart.
func TestLexerOfLuaOnEdges(t *testing.T) {
	sameAsGrammar(t, "lua", []string{
		"#!/usr/bin/lua\nlocal a <const>, b <close> = nil, true -- c\n--[[ d\n]] --[==[ e ]] ]==] f()\n--[=\ng()\n",
		"a = [[b\n]] .. [==[c]]d]==] .. [[]] .. \"\\\"e\\\n'\" .. 'f\"\\'' .. \"\\z  \n g\"\n",
		"a = {1, 0x1F, 0xA.8p-1, .5, 1e+5, 3., 1ULL, 0xffLL, 2i, 1.5e3I; b = 7, ['c'] = 8}\nd = a[b[1]]\n",
		"function a.b:c(...) local d, e = ... return d // e ~ f, #g, ~h, i ~= j, k ^ -l, m << 1 >> 2 end\n",
		"goto a\n::a::\nwhile not b do if c then break elseif d then else repeat f 'g' until h end end\nfor i = 1, 2 do end for j, k in l{} do end\n",
		"local naïve = 1 .. 2\nreturn naïve == 1 and false or nil;\n",
		"\ufeffa = 1\r\n-- b\r\nc = 2\r\n",
	})
	refuses(t, "lua", []string{
		"goto = 1\n", "a.goto()\n", "a.end = 1\n", "local a <const>= 1\n", "a = [[b", "--[[ a", "a = $b\n", "-- a\n# b\n", "a = b\u00a0c\n", "a = !b\n",
	})
}
