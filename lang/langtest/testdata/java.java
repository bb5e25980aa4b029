// BEGIN imports
package org.example.store;

import java.util.ArrayList;
import java.util.*;
import static java.lang.Math.max;
// END imports

/**
 * A store with a limit.
 */
@SuppressWarnings("unchecked")
public final class Store<K extends Comparable<K>, V> extends Base implements Iterable<V> {
    private static final int LIMIT = 0xFF, OCTAL = 017, BITS = 0b1010;
    private static final double RATIO = 1.5e-3, HEX = 0x1p3;
    protected volatile long count = 1_000L;
    private char mark = '\n';
    private final Map<K, List<V>> values = new HashMap<>();
    private boolean open = true;

    /* What kind an entry is. */
    enum Kind { SMALL, LARGE { @Override int size() { return 2; } }; int size() { return 1; } }

    record Pair<A, B>(A first, B second) { }

    interface Visitor<T> { void visit(T value) throws Exception; default int rank() { return 0; } }

    public Store(String name, Object... rest) {
        super(name);
        this.count = rest.length;
    }

    // BEGIN fragment
    public synchronized int put(K key, V value, int depth) throws IllegalStateException {
        if (!open || key == null) {
            throw new IllegalStateException("closed: " + depth);
        }
        List<V> list = values.get(key);
        if (list == null) {
            list = new ArrayList<>(max(depth, 4));
            values.put(key, list);
        }
        int[] sizes = {1, 2, 3};
        for (int i = 0; i < sizes.length && list.size() <= LIMIT; i++) {
            if (list.contains(value)) {
                return i << 1; // seen before
            }
            list.add(value);
            count += sizes[i] % 2 == 0 ? 1 : -1;
        }
        return list.size();
    }
    // END fragment

    String describe(Object o) {
        String text = """
            A block
            of text""";
        switch (mark) {
            case 'a': text += o instanceof String s ? s : "none"; break;
            default: text = null;
        }
        int n = switch (text.length()) { case 1, 2 -> 10; default -> { yield 20; } };
        do { n >>>= 1; } while (n > 0 && (n & 1) != 0 | false);
        label:
        for (V v : this) { if (v == null) continue label; else break label; }
        try (var r = open(text)) { assert n >= 0; } catch (RuntimeException | Error e) { n = ~n; } finally { n ^= 1; }
        Runnable run = () -> System.out.println(text);
        Visitor<K> visitor = Store::accept;
        return text + (int) count + visitor;
    }
}
