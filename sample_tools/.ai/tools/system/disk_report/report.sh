#!/usr/bin/env bash
# The largest entries directly below a folder, in KiB, largest first.
set -euo pipefail

path="."
top=10
for argument in "$@"; do
  case "$argument" in
    --path=*) path="${argument#*=}" ;;
    --top=*) top="${argument#*=}" ;;
    *) echo "unknown argument: $argument" >&2; exit 2 ;;
  esac
done

case "/$path/" in
  *"/../"*|//*) echo "path must lie inside the project: $path" >&2; exit 2 ;;
esac
if [[ ! -d "$path" ]]; then
  echo "no such folder: $path" >&2
  exit 1
fi

cd -- "$path"
shopt -s nullglob dotglob
entries=(*)
if (( ${#entries[@]} == 0 )); then
  echo "the folder is empty"
  exit 0
fi

# sed reads to the end, where head would stop early and break the pipe.
du -sk -- "${entries[@]}" | sort -rn | sed -n "1,${top}p"
