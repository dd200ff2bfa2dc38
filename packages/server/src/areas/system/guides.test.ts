// The documents as pages: what Markdown becomes, where links lead, and that no text becomes markup.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { type Guide, guideIndex, guidePage } from "./guides.ts";
import { renderMarkdown, slugOf } from "./markdown.ts";

const docs = new URL("../../../../../docs/", import.meta.url);
const read = (folder: URL, isTask: boolean): Guide[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".md"))
    .map((file) => ({
      name: file.slice(0, -3).toLowerCase(),
      isTask,
      text: readFileSync(new URL(file, folder), "utf8"),
    }));
const guides = [...read(new URL("guides/", docs), true), ...read(docs, false)];
const rendered = (text: string) => renderMarkdown(text, (target) => target).body.join("");

describe("a document", () => {
  test("becomes headings with addresses, paragraphs, lists, tables and code", () => {
    assert.equal(
      rendered("# A `b` & c\n\nOne *two*\n**three**."),
      '<h1 id="a-b--c">A <code>b</code> &amp; c</h1><p>One <em>two</em> <strong>three</strong>.</p>',
    );
    assert.equal(
      rendered("- one\n  goes on\n- [two](x.md#y)\n\nafter"),
      '<ul><li>one goes on</li><li><a href="x.md#y" rel="noreferrer">two</a></li></ul><p>after</p>',
    );
    assert.equal(rendered("1. one\n2. two"), "<ol><li>one</li><li>two</li></ol>");
    assert.equal(rendered("```sh\na | b # c\n```"), '<pre tabindex="0"><code>a | b # c</code></pre>');
    assert.match(
      rendered("| Code | What |\n|---|---|\n| `rate_limited` | a `x|y` |"),
      /<tr id="rate_limited"><td><code>rate_limited<\/code><\/td><td>a <code>x\|y<\/code><\/td><\/tr>/,
    );
  });

  test("cannot bring markup or scripts of its own", () => {
    const hostile =
      '# <script>alert(1)</script>\n\n<img src=x onerror=alert(1)> [a](javascript:alert(1)) `</code><b>`\n\n| <i> |\n|---|\n| "><script> |';
    const text = guidePage([{ name: "x", isTask: false, text: hostile }], "x") ?? "";
    assert.doesNotMatch(text, /<(script|img|b|i)[ >]/);
    assert.doesNotMatch(text, /href="javascript/);
  });

  test("every one of ours is shown, is listed, and its links lead to headings that are there", () => {
    const index = guideIndex(guides);
    const ids = new Map(
      guides.map(({ name }) => [
        name,
        new Set([...(guidePage(guides, name) ?? "").matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
      ]),
    );
    const broken = guides.flatMap(({ name }) => {
      assert.ok(index.includes(`"/docs/guides/${name}"`), name);
      const links = [...(guidePage(guides, name) ?? "").matchAll(/href="(?:\/docs\/guides\/([\w-]+))?#([^"]+)"/g)];
      return links.flatMap(([, to = name, id = ""]) => (ids.get(to)?.has(id) ? [] : [`${name} → ${to}#${id}`]));
    });
    assert.ok(guides.length > 30);
    assert.deepEqual(broken, []);
  });

  test("the page of errors has a row for every code that a person may meet", () => {
    const page = guidePage(guides, "errors") ?? "";
    for (const code of [
      "rate_limited",
      "not_found",
      "insufficient_credits",
      "provider_error",
      "content_policy_violation",
    ])
      assert.ok(page.includes(`<tr id="${code}">`), code);
  });

  test("an unknown one is none", () => {
    assert.equal(guidePage(guides, "../secrets"), null);
    assert.equal(slugOf("Calls and `/v1`: how?"), "calls-and-v1-how");
  });
});
