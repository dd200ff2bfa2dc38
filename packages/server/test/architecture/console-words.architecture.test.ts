// Every word that a person reads in the console comes from packages/console/src/strings, so that the words can be read in one
// sitting and translated as files. What stays in the code: code to copy, ids, units.
import assert from "node:assert/strict";
import { basename } from "node:path/posix";
import { describe, test } from "node:test";
import { proseIn } from "./console-prose.ts";
import { isTestFile, packageSources, planted, type Sources } from "./sources.ts";
import { eachTree } from "./syntax.ts";

const house = "packages/console/src/";

// Programs to copy, which are the same in every language.
const isCodeToCopy = (path: string): boolean => /^(snippets|clients|first-call)\.ts$/.test(basename(path));

const sources: Sources = new Map([...packageSources].filter(([path]) => path.startsWith(house)));

test("words for people are in the catalogue, not in the code", () => {
  assert.ok(sources.has(`${house}strings/en/errors.ts`), "the strings were found");
  assert.deepEqual(proseOf(sources).slice(0, 20), []);
});

describe("a planted fault is found", () => {
  const within = (jsx: string): string => `export const Planted = () => ${jsx};`;
  const plants: readonly [name: string, text: string, expected: string][] = [
    ["text of an element", within("<p>No jobs yet</p>"), "No jobs yet"],
    ["one word of an element", within("<p>{count} jobs</p>"), "jobs"],
    ["text in a fragment", within("<>ok</>"), "ok"],
    ["either way of a choice in an element", within('<p>{count === 1 ? "job" : words.many}</p>'), "job"],
    ["text of a template in an element", within("<p>{`«count» of «all»`}</p>"), "… of …"],
    ["a title", within('<Panel title="Jobs" />'), "Jobs"],
    ["a title that depends", within('<Panel title={isOpen ? words.open : "ended jobs"} />'), "ended jobs"],
    ["a label for assistive technology", within('<nav aria-label="Pages of the list" />'), "Pages of the list"],
    ["a placeholder with a value", within("<input placeholder={`id of «kind» or name`} />"), "id of … or name"],
    ["the head of a column", 'export const columns = [{ name: "count", head: "Count" }];', "Count"],
    ["a toast", 'toast("removed");', "removed"],
    ["what a fault interrupted", "toastFault(thrown, `«name» was not removed`);", "… was not removed"],
    ["a sentence", 'export const why = () => "this job has ended";', "this job has ended"],
    ["a sentence with a value", "export const why = `The job has «count» outputs`;", "The job has … outputs"],
    ["a word of a state", 'export const states = { queued: "Queued" };', "Queued"],
    ["an error", 'throw new Error("The file cannot be read.");', "The file cannot be read."],
  ];
  for (const [name, text, expected] of plants)
    test(name, () => {
      const found = proseOf(planted(new Map(), [`${house}pages/errors/planted.tsx`, templates(text)]));
      assert.deepEqual(found, [`pages/errors/planted.tsx:1 “${expected}”`]);
    });

  test("text that nobody reads as words is fine", () => {
    const plain = [
      'import { a } from "#strings/errors";',
      'export type State = "Queued for a while";',
      'const known = state === "queued" && event.key === "Enter";',
      "const path = `/console/jobs/«id»?tab=«tab»`;",
      within('<a className={`«styles.one» «styles.two»`} title={words.title} href="/console">{" "}·{count}</a>'),
      within("<p><code>npm install the-sdk and more</code><kbd>Esc</kbd></p>"),
    ];
    assert.deepEqual(
      proseOf(planted(new Map(), [`${house}pages/errors/planted.tsx`, templates(plain.join("\n"))])),
      [],
    );
    assert.deepEqual(
      proseOf(planted(new Map(), [`${house}pages/errors/snippets.ts`, 'export const x = "# Save it as a file";'])),
      [],
    );
  });
});

// A value inside a planted template is in «», which is no template of this file.
const templates = (text: string): string => text.replaceAll("«", ["$", "{"].join("")).replaceAll("»", "}");

function proseOf(all: Sources): string[] {
  const read = [...all].filter(
    ([path]) => !path.startsWith(`${house}strings/`) && !isTestFile(path) && !isCodeToCopy(path),
  );
  return eachTree(new Map(read), (path, file) =>
    proseIn(file).map(({ line, text }) => `${path.slice(house.length)}:${line} “${text}”`),
  );
}
