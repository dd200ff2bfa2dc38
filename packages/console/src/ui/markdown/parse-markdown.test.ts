import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseInline, parseMarkdown } from "./parse-markdown.ts";

describe("a readme's Markdown", () => {
  test("becomes headings without gaps, paragraphs, lists, code, quotes and tables", () => {
    const source = [
      "## Lamps ##",
      "One line",
      "and the next.",
      "#### Use",
      "- first",
      "  - inner",
      "  goes on",
      "1. other",
      "```sh",
      "# not a heading",
      "```",
      "> said",
      "",
      "| a | b |",
      "|---|:-:|",
      "| 1 | 2 | 3 |",
      "---",
    ];
    assert.deepEqual(parseMarkdown(source.join("\n")), [
      { kind: "heading", level: 1, text: "Lamps" },
      { kind: "paragraph", text: "One line and the next." },
      { kind: "heading", level: 2, text: "Use" },
      {
        kind: "list",
        isOrdered: false,
        items: [
          { depth: 0, text: "first" },
          { depth: 1, text: "inner goes on" },
          { depth: 0, text: "other" },
        ],
      },
      { kind: "code", text: "# not a heading" },
      { kind: "quote", text: "said" },
      { kind: "table", head: ["a", "b"], rows: [["1", "2"]] },
      { kind: "rule" },
    ]);
  });

  test("links lead to web addresses only, and pictures become links", () => {
    assert.deepEqual(parseInline("see [a](https://a.example/x) ![shot](http://b.example/p.png) `[c](d)` **e** *f*"), [
      { kind: "text", text: "see " },
      { kind: "link", text: "a", href: "https://a.example/x" },
      { kind: "text", text: " " },
      { kind: "link", text: "shot", href: "http://b.example/p.png" },
      { kind: "text", text: " " },
      { kind: "code", text: "[c](d)" },
      { kind: "text", text: " " },
      { kind: "strong", text: "e" },
      { kind: "text", text: " " },
      { kind: "emphasis", text: "f" },
    ]);
    for (const href of ["javascript:alert(1)", "JaVaScRiPt:alert`1`", "data:text/html,x", "//evil.example", "/account"])
      assert.deepEqual(
        parseInline(`[x](${href})`).filter(({ kind }) => kind === "link"),
        [],
        href,
      );
  });

  test("tags are dropped, in the middle of a sentence too", () => {
    const [block] = parseMarkdown('<p align="center">Hello <img src=x onerror=alert(1)> there</p>\n<!-- quiet -->');
    assert.deepEqual(block, { kind: "paragraph", text: "Hello  there" });
  });

  // Quadratic patterns would keep the page busy for minutes here.
  test("no text of the full length takes long", { timeout: 600_000 }, () => {
    for (const piece of ["[", "*", "`", "<a ", "![](", "- ", "|-", "> ", "# ", "<!--", "https://"]) {
      const source = piece.repeat(100_000 / piece.length);
      for (const block of parseMarkdown(source)) if ("text" in block) parseInline(block.text);
      parseInline(source);
    }
  });
});
