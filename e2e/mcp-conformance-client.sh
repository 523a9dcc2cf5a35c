#!/usr/bin/env bash
# The official MCP conformance suites against helve's client, which conformance/client
# drives. Exit status 0 means that each came out as it must.
#
# usage: mcp-conformance-client.sh [LOGS]    LOGS is a folder for what the suites print
#
# HELVE_E2E_CACHE is where setup.sh installed them; .cache/e2e without it. It is only read.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cache=${HELVE_E2E_CACHE:-$PWD/.cache/e2e}
node=$cache/node_modules/node/bin/node
[ -x "$node" ] || { echo "the suites are not installed in $cache: run bash e2e/setup.sh" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
logs=${1:-$scratch/logs}
mkdir -p "$logs"
go build -o "$scratch/client" ./e2e/conformance/client || exit 1
wrong=0

# suite FOLDER LOG COMMAND ARG...: its exit status, with all that it prints in LOG
suite() {
  local folder=$1 log=$logs/$2.txt command=$3
  shift 3
  "$node" "$cache/$folder/node_modules/@modelcontextprotocol/conformance/dist/index.js" \
    client --command "$command" "$@" >"$log" 2>&1
}

# want LOG PASSED FAILED STATUS: at least PASSED, exactly FAILED. Checks of a scenario that
# is not scored, or is in the baseline, count as failed too.
want() {
  local line
  line=$(grep '^Total: ' "$logs/$1.txt")
  if [[ $line =~ ^Total:\ ([0-9]+)\ passed,\ ([0-9]+)\ failed ]] &&
    ((BASH_REMATCH[1] >= $2 && BASH_REMATCH[2] == $3 && $4 == 0)); then
    echo "ok    $1: $line"
    return
  fi
  wrong=1
  echo "WRONG $1: $line, exit status $4; want $2 passed or more, $3 failed, exit status 0"
  if [ "$logs" = "$scratch/logs" ]; then cat "$logs/$1.txt"; else echo "      see $logs/$1.txt"; fi
}

# 7 failed checks are of the scenarios in the baseline: an authorization server that breaks
# RFC 8414, and two grants that helve does not have.
suite c1 client-0.1.16 "$scratch/client" --suite all --expected-failures e2e/conformance/client-baseline.yml
want client-0.1.16 290 7 $?
suite c2 client-2025-11-25 "$scratch/client" --suite all --spec-version 2025-11-25
want client-2025-11-25 255 0 $?
# 13 are of extensions, which are not scored.
suite c2 client-2026-07-28 "$scratch/client" --requirements 2026-07-28
want client-2026-07-28 450 13 $?

# A client that does nothing must fail, or all of the above proves nothing.
if suite c2 control true --suite all --spec-version 2025-11-25; then
  wrong=1
  echo "WRONG a client that does nothing passes"
fi
exit $wrong
