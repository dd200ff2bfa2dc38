// The request as text, as a command, and how its receiver verifies it.
import type { WebhookDeliveryDetail } from "@atelier/sdk";

// The signature is made anew for every attempt and is kept nowhere.
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
    "webhook-signature: v1,…   (HMAC-SHA256 over id.timestamp.body, made anew for every attempt)",
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

export const verifiers = {
  typescript: `import { Webhook } from "standardwebhooks";

// rawBody: the bytes as they came, before anything parses them.
const event = new Webhook(process.env.ATELIER_WEBHOOK_SECRET).verify(rawBody, headers);`,
  python: `import os
from standardwebhooks import Webhook

# raw_body: the bytes as they came, before anything parses them.
event = Webhook(os.environ["ATELIER_WEBHOOK_SECRET"]).verify(raw_body, headers)`,
} as const;
