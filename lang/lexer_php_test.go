package lang

import "testing"

// Strings and here-documents with code, text around it, words in any case.
func TestLexerOfPHPOnEdges(t *testing.T) {
	sameAsGrammar(t, "php", []string{
		"a < b1 2c <b>é</b>\n<?php $a = 1 ?>\n text $b <?= $c ?> d <? e(); ?>",
		"<?PHP\nnamespace A\\B;\nuse C\\D, E as F;\nuse function G\\h;\nuse I\\{J, K as L};\nclass M { use N, O { P::q as r; } }\n$s = function () use ($t) { };\n",
		"<?php use A\\B ?>\n<?php use C;\nnew class extends D { use E; };\nenum F: string { use G; case H = 'i'; }\ntrait J { use K; }\n",
		"<?php $a = \"b $c d {$e->f(['g' => 1])['h']} ${i} $j[0] $j[-1] $j[k] $j[$l] $m->n $m->o->p $q-> $r- $s[0][1] \\$t \\\"u\\\\\" . \"\";\n",
		"<?php $a = \"{$b}{$c}\" . \"{ $d }\" . \"\\{$e}\" . \"$\" . \"$1 {\" . b\"f\" . \"\\x41 \\u{41} \\101\" . \"g\nh\" . \"{$i[\"j$k\"]}\" . \"$l\";\n",
		"<?php $a = 'b\\'c\\\\' . 'd\n$e' . B'f' . '' . `g $h {$i} \\` j`;\n",
		"<?php $a = <<<EOT\nb $c {$d->e} ${f} $g[h]->i\n  EOTx \"j\"\n\n  EOT;\n$k = [<<<\"L\"\n  m\\\\n\n  L, 1];\n$o = f(<<<P\nP);\n",
		"<?php $a = <<<'EOT'\nb $c {$d} \\\n EOTx\n\n/* e */ // f\nEOT;\n$g = <<< 'H'\nH;\n",
		"<?php // a ?> b <?php # c ? d\n#e\n/* f ?> */ /** g **/ #[H(1)] function i() { }\n#\n//\r\n$j;\n",
		"<?php $a = 1_000 + 0x1F_F + 0b1_0 + 0o17 + 017 + 1.5e-3 + .5 + 1. + 1e5 . 2 . 'b' . $c[0];\n",
		"<?php IF ($a) { Echo TRUE; } elseIf (Null) { } $b = (INT) $c + (array) $d + (String) $e; return NEW static(self::class, parent::f());\n",
		"<?php declare(strict_types=1);\nfinal class A extends B implements C { public static ?int $d = 1; var $e; const F = 'g'; abstract protected function list(array &$h, int|null ...$i): static; }\n",
		"<?php $a?->b?->c()::$d; $$e->{$f}; $g ??= $h <=> $i ?: $j ** $k <> $l; @$m[$n] .= ~$o; fn(&$p) => yield from $q; print $r and $s xor $t;\n",
		"<?php match (true) { $a, $b => 1, default => throw new C }; goto d; d: foreach ($e as $f => [$g, [$h]]) { continue 2; } while (0): endwhile;\n",
		"<?php readonly class A { public function __construct(private readonly B $c) { } } enum D { case E; } function enum() { } $f = from(ticks, readonly());\n",
		"<?php isset($a, $b) || empty($c) && exit(1); die; unset($d[0]); include_once __DIR__ . '/e'; static $f = 1, $g; global $h; const I = J\\K::L;\n",
		"\ufeff<?php\r\n$naïve = \\A\\b(namespace\\c);\r\n",
	})
	refuses(t, "php", []string{
		"<?php $a = <<<EOT\nb\nEOT . 'c';\n", "<?php // a ??> b\n", "<?php $a = \"b", "<?php $a = <<<A\n/* $b */\nA;\n", "<?php $a\u200b = 1;\n",
	})
}
