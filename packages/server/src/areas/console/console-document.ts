// The one document of the console, under a policy that lets it reach this server and the origin of users' bytes, and nothing
// else. The nonce is for the styles in it, and for those that a part of a page makes while it runs (the code editor); no
// script is allowed by one. It holds what the pages must know first, and the frame that stands there until they run: of this
// surface, in the chosen colours, with the way to the page that was asked for marked.
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ConsoleConfig } from "@atelier/contract";
import type { Arrival, BytesAnswer } from "../../foundation/http/area.ts";
import { pageRules } from "../../foundation/http/page-rules.ts";
import type { ConsoleFiles } from "./console-files.ts";

const compress = promisify(gzip);

export async function consoleDocument(
  { document, scriptHashes }: ConsoleFiles,
  config: ConsoleConfig,
  { headers, path }: Pick<Arrival, "headers" | "path">,
  // Where the content origin may send browsers for bytes.
  storeOrigin: string | null,
): Promise<BytesAnswer> {
  const nonce = randomBytes(16).toString("base64url");
  let title = "";
  const marked = document.replaceAll(/__AT (\S+) ([^_]+)__/g, (_, to: string, label: string) => {
    if (to === path) title = label;
    return to === path || (to !== "/" && path.startsWith(`${to}/`)) ? `aria-current="page"` : "";
  });
  const written: Readonly<Record<string, string>> = {
    NONCE: nonce,
    ROOT: rootOf(config, path, headers.cookie ?? ""),
    TITLE: title,
    // Inside a script element: nothing in it may end that.
    CONFIG: JSON.stringify(config).replaceAll("<", "\\u003c"),
  };
  const text = marked.replaceAll(/__(NONCE|ROOT|TITLE|CONFIG)__/g, (_, name: string) => written[name] ?? "");
  const isCompressed = /\bgzip\b/.test(String(headers["accept-encoding"] ?? ""));
  const content = config.content_url === null ? "" : new URL(config.content_url).origin;
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      ...(isCompressed ? { "content-encoding": "gzip" } : {}),
      "content-security-policy": policyOf(nonce, scriptHashes, {
        content,
        shown: [content, storeOrigin ?? ""].join(" "),
      }),
      "cache-control": "no-store",
      vary: "Accept, Accept-Encoding, Cookie",
      ...pageRules,
    },
    body: isCompressed ? await compress(text, { level: 5 }) : text,
  };
}

// What the styles of the frame choose by, as attributes. A visitor who has yet to sign in sees no navigation that leads
// nowhere. That there is a cookie is a hint for this alone: whether it is any good is judged where it authorises something.
function rootOf({ surface, auth }: ConsoleConfig, path: string, cookie: string): string {
  const mayBeIn = auth === "none" || (auth === "session" && /(^|[;\s])(__Host-)?atelier_session=[^;]/.test(cookie));
  const frame = mayBeIn && !path.startsWith("/sign-in") ? surface : "bare";
  const [, theme] = /(?:^|;\s*)atelier_theme=(light|dark)\s*(?:;|$)/.exec(cookie) ?? [];
  return [
    `data-frame="${frame}"`,
    ...(path === "/" ? [`data-page="tiles"`] : []),
    ...(theme === undefined ? [] : [`data-theme="${theme}"`]),
  ].join(" ");
}

function policyOf(
  nonce: string,
  scriptHashes: readonly string[],
  { content, shown }: { readonly content: string; readonly shown: string },
): string {
  return [
    "default-src 'none'",
    // The hash of a file is computed by WebAssembly, which no script can be made of.
    `script-src 'self' ${scriptHashes.join(" ")}`,
    `style-src 'self' 'nonce-${nonce}'`,
    `connect-src 'self' ${content}`,
    `img-src 'self' blob: data: ${shown}`,
    `media-src 'self' blob: ${shown}`,
    "font-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
    .map((rule) => rule.trim())
    .join("; ");
}
