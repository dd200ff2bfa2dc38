import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { escapeHtml, html } from "./html.ts";

const hostile = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  "</title><script>",
  "&lt;script&gt;",
  "<!--",
  "]]>",
  "\u0000<b>",
];

// Decodes escaped text as a browser would; anything it cannot decode would be markup.
function readBack(text: string): string {
  assert.doesNotMatch(text, /[<>"']/);
  assert.doesNotMatch(text.replaceAll(/&(amp|lt|gt|quot|#39);/g, ""), /&/);
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

test("any text passes through as text: nothing in it is markup and nothing of it is lost", () => {
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...hostile), fc.stringMatching(/^[<>"'&;a]*$/));
  fc.assert(fc.property(text, (value) => assert.equal(readBack(escapeHtml(value)), value)));
});

test("a value in a template is escaped", () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const made = html`<p title="${value}">${value}</p>`.toString();
      assert.equal(made, `<p title="${escapeHtml(value)}">${escapeHtml(value)}</p>`);
    }),
  );
});

test("markup made by the tag is not escaped again, even in lists", () => {
  const items = ["<a>", "b"].map((item) => html`<li>${item}</li>`);
  assert.equal(html`<ul>${items}</ul>`.toString(), "<ul><li>&lt;a&gt;</li><li>b</li></ul>");
  assert.equal(html`${null}${undefined}${0}${["<", [">"]]}`.toString(), "0&lt;&gt;");
});
