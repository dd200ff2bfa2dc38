#!/bin/sh
# A graph with nothing but curl: submit, poll by the job's own link, save every output.
#   sh examples/curl/run-a-workflow.sh examples/first-picture.json out/
set -eu
# From any folder: the checkout is where this file lies, and its first key counts where none is named.
checkout=$(cd "$(dirname "$0")/../.." && pwd)
url=${ATELIER_URL:-http://127.0.0.1:${ATELIER_PORT:-8080}}
: "${ATELIER_API_KEY:=$(sed -n 's/^API key: *//p' "$checkout/.atelier/first-key.txt")}"
graph=${1:-$checkout/examples/first-picture.json}
folder=${2:-.}
mkdir -p "$folder"
api() { curl -sS --fail-with-body --max-time 60 -H "X-API-Key: $ATELIER_API_KEY" "$@"; }
# One string member of a JSON answer; a program would use a JSON parser.
member() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

# Under a key of its own: sent twice, it is still one job.
job=$(printf '{"workflow": %s}' "$(cat "$graph")" | api -H 'Content-Type: application/json' \
  -H "Idempotency-Key: workflow-$(date +%s)-$$" --data-binary @- "$url/api/v2/jobs")
self=$(printf '%s' "$job" | member self)
echo "submitted $self"

# Polling is the truth; links are relative to the host.
while :; do
  job=$(api "$url$self")
  # Before the outputs: they have members of the same name.
  status=$(printf '%s' "$job" | sed -n 's/^{"id":"[^"]*","status":"\([a-z]*\)".*/\1/p')
  case $status in
    succeeded) break ;;
    failed | canceled | expired) echo "$status: $job" >&2; exit 1 ;;
  esac
  sleep 0.5
done

# Output.url needs the key; it leads on to a signed address, and curl does not take the key there.
printf '%s' "$job" | tr '{' '\n' | sed -n 's/^"id":"\([^"]*\)","node_id":"[^"]*","name":"\([^"]*\)".*/\1 \2/p' |
  while read -r id name; do
    api -L -o "$folder/$(basename "$name")" "$url/api/v2/assets/$id/content"
    echo "saved $folder/$(basename "$name")"
  done
