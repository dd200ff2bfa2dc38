// The request as text, as a command, and how a receiver verifies it.
import type { WebhookDeliveryDetail } from "@atelier/sdk";
import { cliCommand, keyGuard } from "../../ui/snippets/clients.ts";
import { shellWord } from "../../ui/snippets/literals.ts";

// Every attempt has its own signature, which is not stored.
export function headersOf({ id, url, attempt_log }: WebhookDeliveryDetail): string {
  const last = attempt_log.at(-1);
  const timestamp = last === undefined ? "…" : String(Math.floor(Date.parse(last.at) / 1_000));
  const { pathname, search, host } = URL.canParse(url) ? new URL(url) : { pathname: url, search: "", host: "" };
  return [
    `POST ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    "content-type: application/json",
    `webhook-id: ${id}`,
    `webhook-timestamp: ${timestamp}`,
    "webhook-signature: v1,…   (HMAC-SHA256 over id.timestamp.body, a new one for every attempt)",
  ].join("\n");
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export function curlOf({ id, url, body }: WebhookDeliveryDetail): string {
  return `BODY=${quoted(body)}
ID=${id}
AT=$(date +%s)
KEY=$(printf %s "\${ATELIER_WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
SIGNATURE=$(printf '%s.%s.%s' "$ID" "$AT" "$BODY" | openssl dgst -sha256 -mac HMAC -macopt hexkey:$KEY -binary | base64)
curl -i -X POST ${quoted(url)} \\
  -H 'content-type: application/json' \\
  -H "webhook-id: $ID" -H "webhook-timestamp: $AT" -H "webhook-signature: v1,$SIGNATURE" \\
  --data-binary "$BODY"`;
}

// Complete receivers: each verifies a delivery, prints it, and answers 400 if it is not genuine.
export const verifiers = {
  typescript: `// Save as receiver.mjs beside the installed SDK, then: node receiver.mjs
import { createServer } from "node:http";
import { unwrap } from "@atelier/sdk/webhooks";

const secret = process.env.ATELIER_WEBHOOK_SECRET ?? "";
const port = Number(process.env.PORT ?? 3000);
createServer(async (request, response) => {
  // The bytes as they came, before anything parses them.
  const body = Buffer.concat(await request.toArray());
  try {
    console.log(await unwrap(body, request.headers, secret));
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(400).end(String(error));
  }
}).listen(port, "127.0.0.1", () => console.log("Listening on port", port));`,
  python: `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

key = base64.b64decode(os.environ["ATELIER_WEBHOOK_SECRET"].removeprefix("whsec_"))
port = int(os.environ.get("PORT", "3000"))


def is_genuine(headers, body):
    at = headers.get("webhook-timestamp", "0")
    signed = f"{headers.get('webhook-id')}.{at}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split()
    return abs(time.time() - int(at)) < 300 and any(hmac.compare_digest(expected, each) for each in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The bytes as they came, before anything parses them.
        body = self.rfile.read(int(self.headers["content-length"]))
        genuine = is_genuine(self.headers, body)
        self.send_response(204 if genuine else 400)
        self.end_headers()
        if genuine:
            print(json.loads(body), flush=True)


server = HTTPServer(("127.0.0.1", port), Receiver)
print("Listening on port", port, flush=True)
server.serve_forever()`,
} as const;

// A receiver on this machine that verifies what it gets; the server is allowed to send to it.
export const listenHere = (base: string): string =>
  [
    keyGuard(base),
    `export ATELIER_URL=${shellWord(base)}`,
    `atelier() { ${cliCommand(base)} "$@"; }`,
    "export ATELIER_WEBHOOK_SECRET=$(atelier webhooks secret --rotate --yes)",
    `atelier webhooks allow ${receiver}`,
    "atelier webhooks listen",
  ].join("\n");

// A queued call that reports to it.
export const reportHere = (base: string): string =>
  [
    keyGuard(base),
    `curl -sS ${shellWord(`${base}/v1/models/sandbox/image-1/requests`)} \\`,
    '  -H "Authorization: Bearer $ATELIER_API_KEY" \\',
    `  -H 'X-Service-Webhook-Url: http://${receiver}/hooks' \\`,
    `  -H 'Content-Type: application/json' -d '{"prompt": "a red fox"}'`,
  ].join("\n");

const receiver = "127.0.0.1:8765";
