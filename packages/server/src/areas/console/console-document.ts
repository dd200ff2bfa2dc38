// The one document of the console, under a policy that lets it reach this server and the origin of users' bytes, and nothing
// else. The nonce is for the styles in it, and for those that a part of a page makes while it runs (the code editor); no
// script is allowed by one. It holds what the pages must know first, and says which frame stands there until they run.
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ConsoleConfig } from "@atelier/contract";
import type { Arrival, BytesAnswer } from "../../foundation/http/area.ts";
import type { ConsoleFiles } from "./console-files.ts";

const compress = promisify(gzip);

export async function consoleDocument(
  { document, scriptHashes }: ConsoleFiles,
  config: ConsoleConfig,
  headers: Arrival["headers"],
): Promise<BytesAnswer> {
  const nonce = randomBytes(16).toString("base64url");
  const written: Readonly<Record<string, string>> = {
    NONCE: nonce,
    FRAME: frameOf(config, headers.cookie ?? ""),
    // Inside a script element: nothing in it may end that.
    CONFIG: JSON.stringify(config).replaceAll("<", "\\u003c"),
  };
  const text = document.replaceAll(/__(NONCE|FRAME|CONFIG)__/g, (_, name: string) => written[name] ?? "");
  const isCompressed = /\bgzip\b/.test(String(headers["accept-encoding"] ?? ""));
  const content = config.content_url === null ? "" : new URL(config.content_url).origin;
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      ...(isCompressed ? { "content-encoding": "gzip" } : {}),
      "content-security-policy": policyOf(nonce, scriptHashes, content),
      "cache-control": "no-store",
      vary: "Accept, Accept-Encoding, Cookie",
      // Not no-referrer: with that, browsers send `Origin: null` with our own calls.
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "camera=(), microphone=(), geolocation=()",
      "x-frame-options": "DENY",
    },
    body: isCompressed ? await compress(text, { level: 5 }) : text,
  };
}

// A visitor who has yet to sign in sees no navigation that leads nowhere. That there is a cookie is a hint for this alone:
// whether it is any good is judged where it authorises something.
function frameOf({ surface, auth }: ConsoleConfig, cookie: string): string {
  const mayBeIn = auth === "none" || (auth === "session" && /(^|[;\s])(__Host-)?atelier_session=[^;]/.test(cookie));
  return mayBeIn ? surface : "bare";
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
