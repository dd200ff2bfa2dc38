// The frame of every page of the key site: one document without script, under the strictest policy, never stored by a cache.
import type { IncomingHttpHeaders } from "node:http";
import type { Fault } from "../../../foundation/fault.ts";
import type { BytesAnswer, Envelope, HeaderValues } from "../../../foundation/http/area.ts";
import { genericEnvelope } from "../../../foundation/http/generic-envelope.ts";
import { type Html, html } from "../../../foundation/http/html.ts";
import { pageRules } from "../../../foundation/http/page-rules.ts";
import { contentSecurityPolicy, pageStyle } from "./page-style.ts";

export interface Page {
  readonly title: string;
  readonly content: Html;
  // Content beside the name in the head line, if any.
  readonly aside?: Html;
}

const pageHeaders: HeaderValues = {
  ...pageRules,
  "content-security-policy": contentSecurityPolicy,
  "cache-control": "no-store",
};

export function pageAnswer(status: number, page: Page, headers: HeaderValues = {}): BytesAnswer {
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8", ...pageHeaders, ...headers },
    body: renderDocument(page),
  };
}

export function seeOther(location: `/${string}`, headers: HeaderValues = {}): BytesAnswer {
  return { status: 303, headers: { ...pageHeaders, location, ...headers } };
}

// Our programs ask for JSON, or send it; a browser that shows a page does neither.
export function wantsJson(headers: IncomingHttpHeaders): boolean {
  const [accept = "", type = ""] = [headers.accept, headers["content-type"]];
  return (
    /^application\/json\b/i.test(type) || (/\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept))
  );
}

// Faults of the pages are pages too, or JSON if the caller asked for it. Their message is meant for the caller, and is escaped
// like all text.
export const pageEnvelope: Envelope = (fault, arrival) =>
  arrival.headers !== undefined && wantsJson(arrival.headers)
    ? genericEnvelope(fault, arrival)
    : faultPage(fault, arrival.requestId);

const faultPage = (fault: Fault, requestId: string): BytesAnswer =>
  pageAnswer(fault.status, {
    title: titles[fault.code] ?? "That did not work",
    content: html`<section>
<h1>${titles[fault.code] ?? "That did not work"}</h1>
<p>${fault.code === "unauthorized" ? "You are signed out, or your session has ended." : fault.message}</p>
<p><a href="/sign-in">How to sign in</a> · <a href="/profile/api-keys">API keys</a></p>
<p class="soft">Request id: <code>${requestId}</code></p>
</section>`,
  });

const titles: Partial<Record<Fault["code"], string>> = {
  unauthorized: "Please sign in",
  forbidden: "Not allowed",
  not_found: "Not found",
  rate_limited: "Too many attempts",
  quota_exceeded: "The limit is reached",
};

function renderDocument(page: Page): string {
  const head = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title} · Atelier</title>`;
  const body = html`<header><strong>Atelier</strong>${page.aside}</header>
<main>${page.content}</main>
<footer>Keys are shown once and stored as a hash.</footer>`;
  // The style is our own constant. It is not a template value, because a template would escape it.
  return `<!doctype html>\n<html lang="en">\n<head>\n${head}\n<style>${pageStyle}</style>\n</head>\n<body>\n${body}\n</body>\n</html>\n`;
}
