#!/usr/bin/env bash
# The official MCP conformance suites against "helve mcp --http", which serves the
# workspace conformance/workspace. Prints what each suite counted; exits 1 where that is
# not what it must be.
#
# usage: e2e/mcp-conformance.sh [setup]
#
# With setup, it only fetches Node 22 and the suites from the npm registry (about 250 MB),
# which otherwise happens where they are missing. HELVE_E2E_CACHE is the folder where they
# are kept, .cache/e2e by default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cache=${HELVE_E2E_CACHE:-.cache/e2e}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
node=$cache/node_modules/node/bin/node
suite1=$cache/c1/node_modules/@modelcontextprotocol/conformance/dist/index.js
suite2=$cache/c2/node_modules/@modelcontextprotocol/conformance/dist/index.js

install() { # install DIR PACKAGE...
  mkdir -p "$1"
  (cd "$1" && { [ -f package.json ] || npm init -y >/dev/null; } && npm install --no-audit --no-fund "${@:2}")
}
[ -x "$node" ] || install "$cache" node@22
[ -f "$suite1" ] || install "$cache/c1" @modelcontextprotocol/conformance@0.1.16
[ -f "$suite2" ] || install "$cache/c2" @modelcontextprotocol/conformance@0.2.0-alpha.12
[ "${1:-}" != setup ] || exit 0

work=$(mktemp -d)
server=
finish() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

# A workspace of its own: some fixtures write and remove files in it. The suites need no
# settings of the user's.
GOCACHE=$(go env GOCACHE) # which is below XDG_CACHE_HOME
export GOCACHE HELVE_HOME=$work/home XDG_CACHE_HOME=$work/cache
go build -o "$work/helve" ./cmd/helve
cp -R e2e/conformance/workspace "$work/workspace"
"$work/helve" gen "$work/workspace/tools/builtin" >"$work/gen.txt"
"$work/helve" mcp --http 127.0.0.1:0 --workspace "$work/workspace" 2>"$work/stderr" &
server=$!
url=
for _ in $(seq 100); do
  url=$(grep -oE 'http://127[^ ]+' "$work/stderr" 2>/dev/null || true)
  [ -z "$url" ] && kill -0 "$server" 2>/dev/null || break
  sleep 0.1
done
[ -n "$url" ] || { echo "helve mcp does not serve:" >&2; cat "$work/stderr" >&2; exit 1; }
url=${url/127.0.0.1/localhost} # the suites' checks of the host want a name

failed=0
suite() { # suite NAME WANTED STATUS ARG...
  local name=$1 wanted=$2 log=$work/suite.txt status=0 counted
  "$node" "${@:4}" --url "$url" >"$log" 2>&1 || status=$?
  counted=$(sed -nE 's/^Total: ([0-9]+) passed, ([0-9]+) failed.*/\1 passed, \2 failed/p' "$log")
  printf '%-34s %s, status %s\n' "$name" "${counted:-no result}" "$status"
  if [ "$counted" != "$wanted" ] || [ "$status" != "$3" ]; then
    echo "  wanted: $wanted, status $3"
    grep -E '^✗|^Not scored' "$log" || tail -n 20 "$log"
    failed=1
  fi
}
# The 30 that fail are about the extension of tasks, which is not scored.
suite "server, 0.1.16" "44 passed, 0 failed" 0 "$suite1" server --suite all
suite "server, 0.2.0-alpha.12, 2025-11-25" "84 passed, 0 failed" 0 "$suite2" server --suite all --spec-version 2025-11-25
suite "server, 0.2.0-alpha.12, 2026-07-28" "165 passed, 30 failed" 0 "$suite2" server --requirements 2026-07-28
if [ "$failed" != 0 ]; then
  echo "what the server said:"
  tail -n 20 "$work/stderr"
fi
exit "$failed"
