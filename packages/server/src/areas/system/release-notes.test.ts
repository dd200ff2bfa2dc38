import assert from "node:assert/strict";
import { test } from "node:test";
import { referenceStyle } from "./reference-style.ts";
import {
  chooseForm,
  groupsOf,
  notesFeed,
  notesMarkdown,
  notesPage,
  presentNotes,
  readReleases,
} from "./release-notes.ts";

const at = new Date("2026-05-01T10:00:00Z");
const note = { at, kind: "model", subject: "a/<b>", change: "deprecated", deprecatedAt: at, sunsetAt: at } as const;
const text =
  "# Release notes\n\n## Unreleased\n\n- **New**: `x_*` and *this* ([P](docs/P.md))\n\n## 0.1.0 — 2026-01-02\n\nFirst.\n";
const notes = { server: [note], program: readReleases(text) };

test("the form follows the query, then Accept; a program that says nothing gets Markdown", () => {
  assert.equal(chooseForm("atom", "text/html"), "atom");
  assert.equal(chooseForm(null, "text/html,application/xhtml+xml"), "html");
  assert.equal(chooseForm(null, "application/json"), "json");
  assert.equal(chooseForm(null, "application/atom+xml"), "atom");
  assert.equal(chooseForm(null, "*/*"), "markdown");
  assert.equal(chooseForm("pdf", undefined), null);
});

test("releases of the program are cut at their headings, with their dates", () => {
  assert.deepEqual(
    notes.program.map(({ version, date }) => [version, date]),
    [
      ["Unreleased", null],
      ["0.1.0", "2026-01-02"],
    ],
  );
});

test("every form holds the server's note with its dates, and hostile names stay text", () => {
  assert.equal(presentNotes(notes).server[0]?.sunset_at, "2026-05-01T10:00:00.000Z");
  assert.match(
    notesMarkdown(notes, text),
    /^# Changes on this server\n\n- 2026-05-01: Model a\/<b> deprecated; it will be removed on 2026-05-01\n/,
  );
  const page = notesPage(notes);
  // The page's policy allows this style by its hash, and no other.
  assert.ok(page.includes(`<style>${referenceStyle}</style>`));
  assert.match(
    page,
    /<dt>Model deprecated; it will be removed on 2026-05-01<\/dt><dd><ul><li><code>a\/&lt;b&gt;<\/code>/,
  );
  assert.match(page, /<strong>New<\/strong>: <code>x_\*<\/code> and <em>this<\/em>/);
  const feed = notesFeed(notes, "https://studio.example");
  assert.match(feed, /^<\?xml.*\n<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/);
  assert.match(feed, /<title>Model a\/&lt;b&gt; deprecated; it will be removed on 2026-05-01<\/title>/);
});

test("the page gathers what came on one day by kind and change, and keeps different last days apart", () => {
  const added = { ...note, change: "added", deprecatedAt: null, sunsetAt: null } as const;
  const later = { ...note, sunsetAt: new Date("2026-06-01T10:00:00Z") };
  assert.deepEqual(
    groupsOf([added, { ...added, subject: "c/d" }, { ...added, kind: "badge", subject: "E" }, note, later]),
    [
      ["2 models added", ["a/<b>", "c/d"]],
      ["Price badge added", ["E"]],
      ["Model deprecated; it will be removed on 2026-05-01", ["a/<b>"]],
      ["Model deprecated; it will be removed on 2026-06-01", ["a/<b>"]],
    ],
  );
});
