// BEGIN imports
using System;
using System.Collections.Generic;
using static System.Math;
using Text = System.Text.StringBuilder;

namespace Example.Orders;
// END imports

/// <summary>Keeps orders.</summary>
[Serializable]
public sealed class OrderBook<T> : Book, IEnumerable<T> where T : class, new()
{
    private const int Limit = 0xFF;
    private static readonly double Ratio = 1.5e-3, Part = 2.5f;
    private readonly Dictionary<string, List<T>> items = new();
    private decimal total = 1_000m;
    private char mark = '\n';
    public event EventHandler? Changed;

    /* Properties. */
    public int Count { get; private set; } = 0;
    public bool Open => items.Count > 0 && !closed;
    private bool closed = false;

    public OrderBook(string name, params object[] rest) : base(name)
    {
        this.Name = name ?? throw new ArgumentNullException(nameof(name));
    }

    // BEGIN fragment
    public int Add(string key, T item, int depth = 3)
    {
        if (closed || item == null)
        {
            throw new InvalidOperationException("closed: " + depth);
        }
        if (!items.TryGetValue(key, out var list))
        {
            list = new List<T>(Max(depth, 4));
            items[key] = list;
        }
        for (int i = 0; i < depth && list.Count <= Limit; i++)
        {
            if (list.Contains(item))
            {
                return i << 1; // seen before
            }
            list.Add(item);
            total += list.Count % 2 == 0 ? 1 : -1;
        }
        Changed?.Invoke(this, EventArgs.Empty);
        return list.Count;
    }
    // END fragment

    public async Task<string> Describe(object o)
    {
        var path = @"C:\temp\""x""";
        var text = $"{Count} orders of {total:F2} in {path}";
        var block = """
            raw "text"
            """;
        foreach (var pair in items)
        {
            switch (pair.Value.Count)
            {
                case 0: continue;
                default: text += pair.Key; break;
            }
        }
        var size = o switch { string s when s.Length > 1 => 1, null => 2, _ => 3 };
        Func<int, int> twice = x => x * 2;
        await Task.Delay(twice(size));
        try { checked { Count++; } } catch (Exception e) when (e is not null) { Count ^= 1; } finally { closed = true; }
        var found = from i in items where i.Value != null orderby i.Key select i.Key;
#if DEBUG
        Console.WriteLine(block);
#endif
        lock (items) { do { Count -= 1; } while (Count >= 0 || ~Count == 7); }
        return text as string;
    }
}
