#!/bin/sh
# Reads the answers that the Go benchmarks read with @ai-sdk-tool/parser from npm,
# and writes a table beside helve's figures of the same minute. What it installs
# goes into a temporary folder.
set -eu
cd "$(dirname "$0")"

for program in node npm; do
	if ! command -v $program >/dev/null; then
		echo "skipped: $program is not installed"
		exit 0
	fi
done

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp package.json bench.mjs "$dir"
if ! (cd "$dir" && timeout 60 npm install --no-audit --no-fund --ignore-scripts --loglevel=error >npm.log 2>&1); then
	echo "skipped: npm could not install the parser:"
	tail -n 3 "$dir/npm.log"
	exit 0
fi
(cd .. && go run . -answers "$dir/answers")
timeout 75 node "$dir/bench.mjs" "$dir/answers"
