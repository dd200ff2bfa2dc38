import assert from "node:assert/strict";
import { test } from "node:test";
import { indexPage, wantsPage } from "./index-page.ts";

test("browsers get the page, programs the JSON", () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  for (const accept of [browser, "text/html", "TEXT/HTML;q=0.5"]) assert.equal(wantsPage(accept), true, accept);
  for (const accept of [undefined, "", "*/*", "application/json", "text/*", "text/html;q=0", "text/html;q=0.0"])
    assert.equal(wantsPage(accept), false, String(accept));
});

test("the page runs no script, shows no foreign markup and says what is not well", () => {
  const { headers, body } = indexPage({
    version: "0.1.0",
    baseUrl: "http://<b>.example",
    readiness: { status: "not_ready", checks: { database: { status: "failing" }, "blob store": { status: "ok" } } },
  });
  assert.match(String(headers?.["content-security-policy"]), /^default-src 'none'; style-src 'sha256-[^']+';/);
  assert.doesNotMatch(String(body), /<script|<b>|https?:\/\/(?!&lt;)/);
  assert.match(String(body), /Not ready: database</);
});
