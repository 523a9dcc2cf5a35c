#!/usr/bin/env bash
# The official MCP Inspector lists and calls the tools of "helve mcp", in the workspace that
# "helve init" makes: over standard input and output and over HTTP, in both eras of the
# protocol. Exit status 0 means that each answer was as it must be.
#
# usage: inspector.sh
#
# HELVE_E2E_CACHE is where setup.sh installed it; .cache/e2e without it. It is only read.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cache=${HELVE_E2E_CACHE:-$PWD/.cache/e2e}
inspector=$cache/inspector/node_modules/.bin/mcp-inspector
[ -x "$inspector" ] || { echo "the Inspector is not installed in $cache: run bash e2e/setup.sh" >&2; exit 1; }
export PATH="$cache/node_modules/node/bin:$PATH"

scratch=$(mktemp -d)
server=
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  wait
  rm -rf "$scratch"
}
trap finish EXIT
go build -o "$scratch/helve" ./cmd/helve
export HOME=$scratch/home HELVE_HOME=$scratch/home # the Inspector and helve keep things there
"$scratch/helve" init "$scratch/demo" 2>/dev/null
cd "$scratch/demo"

# check NAME STATUS EXPRESSION ARG...: runs the Inspector, which must end with the exit
# status; EXPRESSION is JavaScript that must be true of the JSON it prints, it.
wrong=0
check() {
  local name=$1 want=$2 expression=$3 got=0
  shift 3
  "$inspector" --cli "$@" >"$scratch/out" 2>"$scratch/err" || got=$?
  if [ "$got" = "$want" ] && node -e '
      const it = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8") || "null");
      process.exit(eval(process.argv[2]) ? 0 : 1)' "$scratch/out" "$expression"; then
    echo "ok    $name"
    return
  fi
  wrong=1
  echo "WRONG $name: exit status $got, want $want, and true of what it printed: $expression"
  cat "$scratch/out" "$scratch/err"
}

# checks WHERE ARG...: the Inspector's arguments lead to the server.
checks() {
  local where=$1
  shift
  check "$where: tools" 0 '["calculate","current_time","excel_tool","list_files","plot_tool","read_file","sql_tool","weather"]
      .every(name => it.tools.some(t => t.name === name && t.description && t.inputSchema.type === "object"))' \
    "$@" --method tools/list --strict
  check "$where: a call" 0 'it.content.length === 1 && it.content[0].type === "text" && it.content[0].text === "391" && !it.isError' \
    "$@" --method tools/call --tool-name calculate --tool-arg 'expression=17 * 23'
  check "$where: structured content" 0 'it.structuredContent.timezone === "Asia/Shanghai" && JSON.stringify(JSON.parse(it.content[0].text)) === JSON.stringify(it.structuredContent)' \
    "$@" --method tools/call --tool-name current_time --tool-arg timezone=Asia/Shanghai
  check "$where: a file of the workspace" 0 'it.content[0].text.includes("region")' \
    "$@" --method tools/call --tool-name read_file --tool-arg path=sales.csv
  check "$where: a call that fails" 5 'it.isError === true && it.content[0].text.includes("ends too early")' \
    "$@" --method tools/call --tool-name calculate --tool-arg 'expression=17 *'
  check "$where: wrong arguments" 5 'it.isError === true && it.content[0].text.includes("expression")' \
    "$@" --method tools/call --tool-name calculate --tool-args-json '{"formula": "1"}'
  check "$where: templates of resources" 0 'it.resourceTemplates.some(t => t.uriTemplate.startsWith("helve://"))' \
    "$@" --method resources/templates/list
}

for era in legacy modern; do
  checks "stdio, $era" "$scratch/helve" mcp --protocol-era "$era"
done

export HELVE_MCP_TOKEN=sesame-open
mkfifo "$scratch/said"
"$scratch/helve" mcp --http 127.0.0.1:0 2>"$scratch/said" &
server=$!
address=
exec 3<"$scratch/said"
while [ -z "$address" ] && read -r line <&3; do
  [[ $line =~ (http://[^ ]+/mcp) ]] && address=${BASH_REMATCH[1]}
done
[ -n "$address" ] || { echo "helve mcp --http did not start" >&2; exit 1; }
cat <&3 >/dev/null & # what else it says
exec 3<&-
for era in legacy modern; do
  checks "HTTP, $era" "$address" --transport http --header "Authorization: Bearer $HELVE_MCP_TOKEN" --protocol-era "$era"
done
check "HTTP, without the token" 3 'it === null' "$address" --transport http --stored-auth-only --method tools/list
exit $wrong
