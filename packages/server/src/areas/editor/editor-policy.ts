// What the editor's page may do (decision 0031). It is someone else's program, running with a person's session, so it reaches
// this server and nothing else: no other host for scripts, styles, pictures, fonts or calls. Its interface sets styles at run
// time, and its three-dimensional view uses WebAssembly; it gets both. It evaluates no text as script.
import { createHash } from "node:crypto";
import type { HeaderValues } from "../../foundation/http/area.ts";
import { pageRules } from "../../foundation/http/page-rules.ts";

export function editorPolicy(document: string): HeaderValues {
  const scripts = [...document.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = scripts.map(([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  const rules = [
    "default-src 'none'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...hashes].join(" "),
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self' blob: data:",
    "img-src 'self' blob: data:",
    "media-src 'self' blob: data:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "form-action 'none'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return { ...pageRules, "content-security-policy": rules.join("; ") };
}
