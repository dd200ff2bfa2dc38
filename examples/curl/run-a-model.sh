#!/bin/sh
# A model by one request. The picture is in the answer; under an Idempotency-Key the same call is never paid twice.
#   sh examples/curl/run-a-model.sh lighthouse.png
set -eu
# From any folder: the checkout is where this file lies, and its first key counts where none is named.
checkout=$(cd "$(dirname "$0")/../.." && pwd)
url=${ATELIER_URL:-http://127.0.0.1:${ATELIER_PORT:-8080}}
: "${ATELIER_API_KEY:=$(sed -n 's/^API key: *//p' "$checkout/.atelier/first-key.txt")}"
file=${1:-picture.png}
key="example-$(date +%s)-$$"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ask() {
  curl -sS --fail-with-body --max-time 660 -D "$work/headers" -o "$work/$1" \
    -H "X-API-Key: $ATELIER_API_KEY" -H 'Content-Type: application/json' -H "Idempotency-Key: $key" \
    -d '{"prompt": "a lighthouse at dusk", "seed": 18446744073709551615, "width": 384, "height": 256, "response_format": "b64_json"}' \
    "$url/v1/models/sandbox/image-1"
}

ask first.json
# The answer is the provider's own JSON; the picture stands in it as base64.
sed -n 's/.*"b64_json":"\([^"]*\)".*/\1/p' "$work/first.json" | base64 -d > "$file"
echo "saved $file"

ask again.json
cmp "$work/first.json" "$work/again.json"
grep -i '^idempotent-replayed: true' "$work/headers" > /dev/null && echo "the same bytes again, not paid again"
