def align(rows, gap="  ", fill=" "):
    """Make columns of equal width."""
    widths = []
    for row in rows:
        for i, cell in enumerate(row):
            if i == len(widths):
                widths.append(0)
            widths[i] = max(widths[i], len(str(cell)))
    out = []
    for row in rows:
        cells = [str(c).ljust(w, fill) for c, w in zip(row, widths)]
        out.append(gap.join(cells).rstrip())
    total = sum(widths) + len(gap) * max(0, len(widths) - 1)
    return out, total


def rule(total, mark="-", every=4):
    """Draw a line with a tick at every few columns."""
    return "".join("+" if n % every == 0 else mark for n in range(total + 1))
