// Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`, with one `v1` signature per signing secret, newest first. The
// id is ours and contains no dot, so the three parts are unambiguous.
import { createHmac } from "node:crypto";
import { webhookSecretPrefix } from "@atelier/contract";

export interface SignedHeaders {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

export function signDelivery(
  delivery: { readonly id: string; readonly body: Uint8Array },
  at: Date,
  secrets: readonly Uint8Array[],
): SignedHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const mac = createHmac("sha256", secret).update(`${delivery.id}.${timestamp}.`).update(delivery.body);
    return `v1,${mac.digest("base64")}`;
  });
  return {
    "webhook-id": delivery.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

// What a person copies into a receiver.
export function secretText(secret: Uint8Array): string {
  return `${webhookSecretPrefix}${Buffer.from(secret).toString("base64")}`;
}
