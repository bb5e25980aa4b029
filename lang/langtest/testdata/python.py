# BEGIN imports
from __future__ import annotations

import os, sys
import collections.abc as abc
from dataclasses import dataclass, field
# END imports

"""A store for measurements,
kept in memory."""

LIMIT = 0xFF + 0o17 - 0b11
RATIO = 1_000.5e-3
PHASE = 2j
PATTERN = r"^\d+$"
RAW = rb'\x00' + b"bytes"
NOTE = u'''three
lines ''' "joined"


@dataclass(frozen=True)
class Sample(object):
    name: str
    values: list[float] = field(default_factory=list)
    parent: "Sample | None" = None

    def label(self, width=10, *args, **kwargs):
        """Returns the label."""
        return f"{self.name!r:>{width}} has {len(self.values):d} values" % args


# BEGIN fragment
def summarize(samples, limit=LIMIT, strict=False):
    totals = {}
    for i, sample in enumerate(samples):
        if not sample.values or i >= limit:
            continue  # nothing measured
        try:
            mean = sum(sample.values) / len(sample.values)
        except (TypeError, ZeroDivisionError) as err:
            if strict is True:
                raise ValueError("bad sample %d" % i) from err
            mean = None
        else:
            totals.setdefault(sample.name, []).append(mean ** 2)
        finally:
            sample = None
    return {k: [v for v in vs if v != 0] for k, vs in totals.items()}


# END fragment


async def watch(source, *, every=1.5):
    global LIMIT
    async with source.open() as stream:
        async for item in stream:
            if (n := len(item)) > 3 and item is not None:
                yield item[1:-1:2], n // 2
            elif n in (1, 2) or ~n & 1:
                await source.skip(lambda x: x << 1 | x >> 2)
            else:
                break
    while every > 0:
        every -= 1
        assert every < LIMIT, "too often"
        total = every + \
            2
    else:
        pass
    match every:
        case [1, *rest] if rest:
            del rest
        case {"a": _} | Sample(name="x"):
            return
        case _:
            print(..., file=sys.stderr)


if __name__ == '__main__':
    os._exit(isinstance([], abc.Sequence) @ 1)
