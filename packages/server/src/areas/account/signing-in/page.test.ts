import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { Fault } from "../../../foundation/fault.ts";
import { type FaultCode, faultCodes } from "../../../foundation/fault-codes.ts";
import { html } from "../../../foundation/http/html.ts";
import { newRequestId } from "../../../foundation/ids.ts";
import { pageAnswer, pageEnvelope, seeOther } from "./page.ts";

const page = pageAnswer(200, { title: "T<", content: html`<p>${"<b>"}</p>` });

test("the policy allows the page's own style by its hash, forms to ourselves, and nothing else", () => {
  const style = /<style>([\s\S]*?)<\/style>/.exec(String(page.body))?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  assert.equal(
    page.headers?.["content-security-policy"],
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  );
});

test("a page holds no script, no inline handler, no style attribute and nothing from elsewhere", () => {
  const text = String(page.body);
  assert.doesNotMatch(text, /<script|javascript:|\son\w+=|\sstyle=|<link|<img|https?:\/\//i);
  assert.match(text, /<html lang="en">/);
  assert.match(text, /name="viewport"/);
  assert.match(text, /<title>T&lt; · Atelier<\/title>/);
  assert.match(text, /<p>&lt;b&gt;<\/p>/);
});

test("pages and redirects are stored nowhere and framed nowhere", () => {
  for (const answer of [page, seeOther("/sign-in")]) {
    assert.equal(answer.headers?.["cache-control"], "no-store");
    assert.equal(answer.headers?.["x-frame-options"], "DENY");
    assert.equal(answer.headers?.["referrer-policy"], "same-origin");
  }
});

test("every fault is a page with its status, its text escaped", () => {
  const codes = Object.keys(faultCodes).filter((code): code is FaultCode => code in faultCodes);
  for (const code of codes) {
    const answer = pageEnvelope(new Fault(code, "<i>why</i>"), { requestId: newRequestId(), path: "/profile" });
    assert.equal(answer.status, faultCodes[code]);
    assert.doesNotMatch(String(answer.body), /<i>/);
  }
});
