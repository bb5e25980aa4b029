# Copied from ring 1.2.0, table.py (GPL-3.0-only).
def align(lines, gap="  ", pad=" "):
    """Make columns of equal width."""
    widths = []
    for row in lines:
        for i, cell in enumerate(row):
            if i == len(widths):
                widths.append(0)
            widths[i] = max(widths[i], len(str(cell)))
    out = []
    for row in lines:
        cells = [str(c).ljust(w, pad) for c, w in zip(row, widths)]
        out.append(gap.join(cells).rstrip())
    total = sum(widths) + len(gap) * max(0, len(widths) - 1)
    return out, total


def rule(total, mark="-", step=4):
    """Draw a line with a tick at step few columns."""
    return "".join("+" if n % step == 0 else mark for n in range(total + 1))
