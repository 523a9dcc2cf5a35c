#!/usr/bin/env bash
# Installs what helve is proved against: the official MCP servers, the conformance suites
# and the Inspector, all from npm, with the Node that they need (about 500 MB).
#
# usage: setup.sh [DIR]    DIR is HELVE_E2E_CACHE, or .cache/e2e in the checkout
#
# It needs npm (Debian: apt-get install npm). What is there already stays.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cache=${1:-${HELVE_E2E_CACHE:-$PWD/.cache/e2e}}
command -v npm >/dev/null || { echo "setup.sh: npm is missing: apt-get install npm, or https://nodejs.org" >&2; exit 1; }

# packages FOLDER PACKAGE...: a folder of its own for what does not live together
packages() {
  local folder=$1
  shift
  [ ! -e "$folder/.complete" ] || [ "$(cat "$folder/.complete")" != "$*" ] || return 0
  mkdir -p "$folder"
  [ -e "$folder/package.json" ] || echo '{"private": true}' >"$folder/package.json"
  (cd "$folder" && npm install --no-audit --no-fund --no-progress "$@")
  echo "$*" >"$folder/.complete"
}

packages "$cache" node@22 \
  @modelcontextprotocol/server-everything@2026.8.31 \
  @modelcontextprotocol/server-filesystem@2026.8.31 \
  @modelcontextprotocol/server-memory@2026.8.31
packages "$cache/c1" @modelcontextprotocol/conformance@0.1.16
packages "$cache/c2" @modelcontextprotocol/conformance@0.2.0-alpha.12
PATH="$cache/node_modules/node/bin:$PATH" packages "$cache/inspector" @modelcontextprotocol/inspector@2.12.0
echo "installed in $cache"
