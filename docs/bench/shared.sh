#!/usr/bin/env bash
# Measures a shared baseline against the same one in a directory, everything on one machine.
#
#   shared.sh BASELINE TARGET [SCANS]     prints what docs/SHARED.md shows
#
# BASELINE is a directory; TARGET one with files to scan, such as ten that a change touches;
# SCANS, 100, are run at once. KILLS=0 leaves out the writers that are killed. The script starts PostgreSQL as it comes but for
# shared_buffers of 1 GB and max_connections of 200, with fsync on, as user nobody if it is
# run by root, and removes it again.
set -euo pipefail
export LC_ALL=C
[ $# -ge 2 ] || { echo "usage: shared.sh BASELINE TARGET [SCANS]" >&2; exit 2; }
base=$(realpath "$1") target=$(realpath "$2") scans=${3:-100}
bin=${POSTGRES_BIN:-$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)}
work=$(mktemp -d)
port=$((20000 + RANDOM % 20000))
as=()
if [ "$(id -u)" = 0 ]; then as=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
mkdir "$work/pg" && if [ "$(id -u)" = 0 ]; then chown 65534:65534 "$work/pg" && chmod 711 "$work"; fi
"${as[@]}" "$bin/initdb" -D "$work/pg/data" -U postgres -A trust --no-locale -E UTF8 >/dev/null
(cd "$work/pg" && exec "${as[@]}" "$bin/postgres" -D data -p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= \
  -c shared_buffers=1GB -c max_connections=200 -c max_wal_size=4GB) >"$work/log" 2>&1 &
server=$!
trap 'kill -INT $server; wait $server || true; rm -rf "$work"' EXIT
export PGSSLMODE=disable PGHOST=127.0.0.1 PGPORT=$port PGUSER=postgres
until "$bin/pg_isready" -q; do sleep 0.1; done
"$bin/createdb" code
address=postgres:///code
cd "$(dirname "$0")/../.."
go build -o "$work/git-provenance" ./cmd/git-provenance
echo "Machine: $(nproc) x $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), load $(cut -d' ' -f1 /proc/loadavg), $(go version | cut -d' ' -f3,4), $("$bin/postgres" --version), commit $(git rev-parse --short=12 HEAD)."
"$work/git-provenance" baseline info --baseline "$base" | grep -E '^(documents|postings|bytes|segments)'
ticks() { cat /proc/[0-9]*/stat 2>/dev/null | awk -v me="$server" '$1 == me || $4 == me {t += $14 + $15 + $16 + $17} END {print t}'; }
before=$(ticks)
BENCH_BASELINE=$base BENCH_ADDRESS=$address go test -run '^$' -bench 'Load|Lookup' -benchtime=1x ./cmd/internal/conformance | grep ^Benchmark
echo "CPU of the server for this: $(echo "$before $(ticks)" | awk '{print ($2 - $1) / 100}') s"
"$bin/psql" -qAtd code -c "select 'table with index: ' || pg_size_pretty(pg_total_relation_size('gp_block'))"

# The floor of a load: the same rows, by psql.
"$bin/psql" -qd code -c "\\copy gp_block to '$work/rows' binary" -c 'create table floor (like gp_block including all)'
before=$(ticks)
TIMEFORMAT="the same rows by psql: %R s"
time "$bin/psql" -qd code -c "\\copy floor from '$work/rows' binary"
echo "CPU of the server for this: $(echo "$before $(ticks)" | awk '{print ($2 - $1) / 100}') s"
"$bin/psql" -qd code -c 'drop table floor' && rm "$work/rows"

# scan HOME BASELINE REPORT prints seconds
scan() { (export HOME=$1 XDG_CACHE_HOME=; cd "$target" && TIMEFORMAT=%R && time "$work/git-provenance" scan . --baseline "$2" --format json --output "$3" || true) 2>&1 | tail -1; }
quantiles() { sort -n | awk -v what="$1" '{v[NR] = $1} END {printf "%-28s median %.3f s, p95 %.3f s, of %d\n", what, v[int((NR + 1) / 2)], v[int(NR * .95 + .999)], NR}'; }
mkdir "$work/home"
TIMEFORMAT="CPU of a scan: %U s user, %S s system"
scan "$work/home" "$base" "$work/directory.json" >/dev/null
(cd "$target" && export HOME=$work/home XDG_CACHE_HOME= && time "$work/git-provenance" scan . --baseline "$base" --format json --output "$work/directory.json" || true)
for _ in $(seq 15); do scan "$work/home" "$base" "$work/directory.json"; done | quantiles "directory:"
for n in $(seq 5); do scan "$work/cold$n" "$address" "$work/cold.json"; done | quantiles "shared, nothing cached:"
scan "$work/home" "$address" "$work/warm.json" >/dev/null
for _ in $(seq 15); do scan "$work/home" "$address" "$work/warm.json"; done | quantiles "shared, cached:"
cmp "$work/directory.json" "$work/cold.json" && cmp "$work/directory.json" "$work/warm.json" && echo "reports: equal"
for at in "$base" "$address"; do
  for n in $(seq "$scans"); do scan "$work/home" "$at" "$work/at-$n.json" >"$work/time-$n" & pids[n]=$!; done
  for n in $(seq "$scans"); do wait "${pids[n]}"; done
  cat "$work"/time-* | quantiles "$scans at once, ${at%%:*}:"
  for n in $(seq "$scans"); do cmp "$work/directory.json" "$work/at-$n.json"; done
done

[ "${KILLS:-200}" != 0 ] || exit 0
# Writers that are killed at any moment: what readers see is whole, before and after.
killed=0
"$bin/createdb" kills
killed_at=postgres:///kills
"$work/git-provenance" baseline init --baseline $killed_at >/dev/null
mkdir "$work/p"
digest() { HOME=$work/home "$work/git-provenance" baseline info --baseline $killed_at | sed -n 's/^digest *//p'; }
had=$(digest)
for n in $(seq 200); do
  seq -f "int f%g_$n(int a, int b) { return a * b + $n - a / (b + 7); }" 400 >"$work/p/f.c"
  if HOME=$work/home timeout -s KILL "0.$(printf %03d $((RANDOM % 700 + 1)))" "$work/git-provenance" baseline add "$work/p" --purl "pkg:generic/p@$n" --license MIT --baseline $killed_at >"$work/said" 2>&1; then
    told=$(sed -n 's/^baseline .*: \(sha256:.*\)/\1/p' "$work/said")
    [ "$told" = "$(digest)" ] || { echo "what was committed is lost: $told" >&2; exit 1; }
  else
    killed=$((killed + 1))
  fi
  now=$(digest)
  [ -n "$now" ] || { echo "a reader cannot open it" >&2; exit 1; }
  if [ "$now" != "$had" ] && [ $((n % 10)) = 0 ]; then HOME=$work/home "$work/git-provenance" baseline verify --baseline $killed_at >/dev/null; fi
  had=$now
done
HOME=$work/home "$work/git-provenance" baseline verify --baseline $killed_at >/dev/null
echo "writers killed: $killed of 200, readers that saw a part: 0; $(HOME=$work/home "$work/git-provenance" baseline list --baseline $killed_at | tail -n +2 | wc -l) packages are there"
