#!/usr/bin/env bash
# Copies what is new.
set -euo pipefail

readonly LIMIT=20
declare -a names=(one two "three four" $'five\n')
mark='a raw string'
last="${1:-none} of ${#names[@]} in $(date +%s)"
count=$((LIMIT * 2 + 0x10 - 1))
export PATH="$HOME/bin:$PATH"

usage() {
	cat <<TEXT
usage: $0 source target
TEXT
	cat <<'RAW' >&2
no $expansion here
RAW
	exit 2
}

# BEGIN fragment
copy_new() {
	local source=$1 target=$2 copied=0
	if [[ ! -d "$source" || -z "$target" ]]; then
		echo "no directory: $source" >&2
		return 1
	fi
	for file in "$source"/*.txt; do
		name=$(basename "$file")
		if [ -e "$target/$name" ] && [ "$file" -ot "$target/$name" ]; then
			continue # not newer
		fi
		cp -p "$file" "$target/$name" || return 3
		copied=$((copied + 1))
		while (( copied > LIMIT )); do
			sleep 1
			copied=$((copied - 1))
		done
	done
	printf '%s copied\n' "$copied"
}
# END fragment

while getopts "n:v" option; do
	case "$option" in
	n) count=$OPTARG ;;
	v | q)
		set -x
		;;
	*) usage ;;
	esac
done

[[ $last =~ ^[0-9]+$ ]] && last=${last//a/b}
find . -name '*.go' -print0 | xargs -0 grep -l "${names[0]}" > out.log 2>&1 &
until diff <(sort a) <(sort b); do sleep 1; done
for ((i = 0; i < count; i++)); do
	[ $# -gt 1 ] && shift
done
copy_new "$@" && echo "$mark" || usage
wait $!
trap 'rm -f out.log' EXIT
unset names
