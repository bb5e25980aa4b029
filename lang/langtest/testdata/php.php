<h1>Orders of today</h1>
<?php
// BEGIN imports
use Example\Orders\Order;
use function Example\format as show;
// END imports

# Keeps orders.
/* The last
   one wins. */
const LIMIT = 0xff;
define('RATIO', 1_000.5e-3);

/** One book. */
#[Final]
abstract class Book extends Base implements \Countable, Iterable
{
    use Tagged;

    public const OCTAL = 017;
    private static ?int $count = null;
    protected array $items = ['one' => 1, "two" => 0b11];

    public function __construct(private readonly string $name, int ...$rest)
    {
        parent::__construct();
        self::$count = count($rest);
        static::$count ??= 3;
    }

    // BEGIN fragment
    public function add(string $key, ?Order $order, int $depth = 3): int
    {
        if ($order === null || !$this->open) {
            throw new \RuntimeException("closed: $depth of {$this->name}");
        }
        foreach ($this->items as $name => $value) {
            if ($name == $key && $value >= LIMIT) {
                return $depth << 1; // seen before
            }
            $this->items[$name] = $value % 2 ? $value + 1 : $value - 1;
        }
        for ($i = 0; $i < $depth; $i++) {
            $this->items[] = $order->price($i) * 1.5;
            self::$count += $i;
        }
        return count($this->items);
    }
    // END fragment

    abstract protected function key(): string|false;
}

function describe(object $book, &$out): ?string {
    $text = <<<TEXT
        Book {$book->name} has
        some items.
        TEXT;
    $raw = <<<'RAW'
        raw $text
        RAW;
    switch ($book::class) {
        case 'Book': $out .= $raw; break;
        default: $out = `ls {$text}`;
    }
    $size = match (true) { $book instanceof Book => 1, default => 2 };
    $twice = fn($x) => $x ** 2 . 'x';
    $all = function () use ($size, $out) { yield from [$size, $out]; };
    try { $n = (int) $size <=> 3; } catch (A | B $e) { echo $e?->code; } finally { unset($n); }
    do { $size--; } while ($size > 0 and !isset($n[0]) || ~$size & 1);
    while (false) : continue; endwhile;
    return $text ?? $twice(2) ?: null;
    // BEGIN verbatim
}
?>
<p>That is all, 3 orders.</p>
