// The one document of the console, under a policy that lets it reach this server and the origin of users' bytes, and nothing
// else. The nonce is for styles that a part of a page makes while it runs (the code editor); no script is allowed by one.
import { randomBytes } from "node:crypto";
import type { BytesAnswer } from "../../foundation/http/area.ts";
import type { ConsoleFiles } from "./console-files.ts";

export function consoleDocument({ document, scriptHashes }: ConsoleFiles, contentUrl: string | null): BytesAnswer {
  const nonce = randomBytes(16).toString("base64url");
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policyOf(nonce, scriptHashes, contentUrl === null ? "" : new URL(contentUrl).origin),
      "cache-control": "no-store",
      vary: "Accept",
      // Not no-referrer: with that, browsers send `Origin: null` with our own calls.
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "camera=(), microphone=(), geolocation=()",
      "x-frame-options": "DENY",
    },
    body: document.replaceAll("__NONCE__", nonce),
  };
}

function policyOf(nonce: string, scriptHashes: readonly string[], content: string): string {
  return [
    "default-src 'none'",
    // The hash of a file is computed by WebAssembly, which no script can be made of.
    `script-src 'self' ${scriptHashes.join(" ")}`,
    `style-src 'self' 'nonce-${nonce}'`,
    `connect-src 'self' ${content}`,
    `img-src 'self' blob: data: ${content}`,
    `media-src 'self' blob: ${content}`,
    "font-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
    .map((rule) => rule.trim())
    .join("; ");
}
