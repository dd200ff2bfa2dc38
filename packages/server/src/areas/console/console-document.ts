// The console's only document, under a policy that lets it reach this server and the content origin, and nothing else. The
// nonce is for its styles, and for those that part of a page creates at run time (the code editor); no script is allowed by
// nonce. It contains what the pages need first, and the frame shown until they run: for this surface, in the chosen colours,
// with the navigation link of the requested page marked.
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
  // Where the content origin may redirect browsers for bytes.
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
    // This is inside a script element, and nothing in it may close that.
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

// Attributes for the frame's styles. A visitor who has not signed in yet sees no navigation that leads nowhere, and a work's own
// page has none. The cookie's presence is only a hint for this; whether it is valid is checked where it authorises something.
function rootOf({ surface, auth }: ConsoleConfig, path: string, cookie: string): string {
  const mayBeIn = auth === "none" || (auth === "session" && /(^|[;\s])(__Host-)?atelier_session=[^;]/.test(cookie));
  const frame = mayBeIn && !/^\/(sign-in|w)(\/|$)/.test(path) ? surface : "bare";
  const [, theme] = /(?:^|;\s*)atelier_theme=(light|dark)\s*(?:;|$)/.exec(cookie) ?? [];
  return [
    `data-frame="${frame}"`,
    ...(path === "/" ? [`data-page="home"`] : []),
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
    // File hashes are computed in WebAssembly, which cannot create scripts.
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
