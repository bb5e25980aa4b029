package lang

import "testing"

// Strings with code, heredocs, names that are words or operators, and signs that begin an operand.
func TestLexerOfRubyOnEdges(t *testing.T) {
	sameAsGrammar(t, "ruby", []string{
		"a = \"b #{c} d #{e[\"f\"]} #{g { h }} \\#{i} #@j #$k #@@l #m\" + '#{n}\\'' + \"\" + \"#{\"#{o}\"}\"\n",
		"a = %w[b c[d] e] + %i(f g) + %W{h#{i}j #{k}} + %q(l (m)) + %Q|n#{o}| + %(p) + %r{q/r}mx + %x(s) + %s(t)\n",
		"a = \"\\u{61 62}b\" + %{\\u{61}c} + ?\\u{63}\n",
		"a = <<~B + <<-'C' + <<D\n  e #{f} \\#{g}\n  B\n  h #{i}\n  C\nj #@k\n D\nD\nl(<<M, n) { |o| p o } # q\nr\nM\n  .s\n",
		"a /b/; c / d; e/f; g.h /i/; j = /k/ =~ l; m(/n/) if /o#{p}q/i; [1] / 2; (r) / s\n",
		"a ? b : c; d ? :e : :f; g.h? ? 1 : 2; i = j ? \"k\" : 'l'; m = ?n + ?\\n; o(p ? [q] : {r: 1})\n",
		"a :b, :\"c d\", :'e', :f?, :g=, :[]=, :+, :<=>, :!, :@h, :$i, :j => k; l = { m: 1, \"n\": 2, :o => 3, if: 4, P: 5, q?: 6 }\n",
		"def self.end; end\ndef class(a, b = 1, *c, d:, e: 2, **f, &g) = h\ndef ==(i) j end\ndef k=(l); end\ndef []=(m, n); end\ndef -@; end\ndef o?; p!; end\n",
		"alias a b\nalias c= d=\nalias :e :f\nalias == eql?\nalias $g $h\nundef i, j?, k=\nl\n",
		"class << self; a.class::B.new.end&.if; end\nclass C < D::E; end\nmodule F; ::G; H::i(j) end\n",
		"a.b(&:c).d(*e, **f, &g) do |h, (i, j), *k, l: 1| m end\nn { || o }\np do || q end\nr = ->(s) { t }\nu = -> v do w end\n",
		"a = 1 + 1_000 + 0x1F + 0b1 + 0o7 + 1.5e-3 + 1e5 + 2r + 3i + 4ri + 5.0r + 1.times + (1..2) + (3...)\n",
		"=begin\na\n=end\nb = c \\\n  + d # e\n@f ||= g && !h or not i and j; k &&= l; m **= n; o <<= p; q !~ r; s != t; u <=> v; w === x\n",
		"a <<B\n  c\nB\nd << e; h = i << \"j\"; k(<<~L.m, n)\n  #{o(p)}\n\n  L\n",
		"begin; a; rescue B, C => d; retry; ensure; e; end while f\ncase g when 1, :h then i else j end\ncase k in {l:, m: Integer => n} then o in [*, p] if q end\n",
		"return if defined?(a) and __FILE__ == $0; b __LINE__; yield c; super; d = super(e); loop { next; break f; redo }\n",
		"naïve = Ünder::C; BEGIN { a }\nEND { b }\nc = `d #{e}`\nputs [1, 2].sum, -f, *g, !h\n",
		"a = 1\n__END__\nb 2 'c' $d\n",
		"\ufeffa = 1\r\nb = <<~C\r\n  d\r\nC\r\ne\r\n",
	})
	refuses(t, "ruby", []string{
		"@a /b/\n", "A %w[b]\n", "a ?b :c\n", "a = b ? c :d\n", "a = \"b", "a = <<B\nc\n", "a = %w[b \\c]\n", "a = \"#{<<B}\"\nc\nB\n", "a)\n", "def `(a); end\n", "a = <<B + \"c\nB\nd\"\n",
	})
}
