// Receives webhooks: checks the Standard Webhooks signature (HMAC-SHA256 over id, time and body) in constant time with the
// platform's own verification, and rejects anything more than five minutes old or early.
import { parseJson } from "./exact-json.ts";

export { WebhookEndpoints } from "./workspace/webhook-endpoints.ts";

/** Why a webhook was not accepted. */
export class WebhookRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "WebhookRefused";
  }
}

/** How a webhook is checked. */
export interface UnwrapOptions {
  /** How old or early it may be; 300. */
  readonly toleranceSeconds?: number;
  /** The time now, in milliseconds. */
  readonly now?: number;
}

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks a webhook and gives what it says. `secret` may be a list while secrets rotate.
 * @example
 * const event = await unwrap(await request.text(), request.headers, process.env.ATELIER_WEBHOOK_SECRET);
 */
export async function unwrap<T = unknown>(
  body: string | Uint8Array,
  headers: HeaderSource,
  secret: string | readonly string[],
  options: UnwrapOptions = {},
): Promise<T> {
  const id = header(headers, "webhook-id");
  const time = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature");
  const seconds = Number(time);
  const tolerance = options.toleranceSeconds ?? 300;
  if (!/^\d+$/.test(time) || Math.abs((options.now ?? Date.now()) / 1000 - seconds) > tolerance)
    throw new WebhookRefused("The webhook's timestamp is too old or in the future.");
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${time}.${text}`);
  const given = signatures.split(" ").flatMap((each) => (each.startsWith("v1,") ? [bytesOf(each.slice(3))] : []));
  for (const each of typeof secret === "string" ? [secret] : secret) {
    const key = await keyOf(each);
    for (const signature of given) {
      if (signature !== null && (await crypto.subtle.verify("HMAC", key, signature, signed)))
        return parseJson(text) as T;
    }
  }
  throw new WebhookRefused("The webhook's signature is invalid.");
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (bytes === null) throw new WebhookRefused("The webhook secret is invalid; secrets start with whsec_.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function header(headers: HeaderSource, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== "string" || value === "") throw new WebhookRefused(`The header ${name} is missing.`);
  return value;
}
