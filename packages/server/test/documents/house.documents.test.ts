// The pages about the code base say what is there: modules and edges, the tests that enforce the laws, files they name,
// words written as code, and what a newcomer searches for.
import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { builtInClasses } from "@atelier/engine";
import { sandboxModels } from "@atelier/sandbox";
import { capabilityEdges } from "../architecture/capability-edges.ts";

const root = join(import.meta.dirname, "../../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const architecture = read("docs/ARCHITECTURE.md");
const files = globSync("{docs,packages,scripts,examples,bench}/**/*.*", {
  cwd: root,
  exclude: (path) => /node_modules|(^|\/)dist(\/|$)|\.atelier/.test(path),
}).map((path) => path.replaceAll("\\", "/"));
files.push(...readdirSync(root));

describe("docs/ARCHITECTURE.md", () => {
  const folders = (floor: string) =>
    readdirSync(join(root, "packages/server/src", floor), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();

  test("the table of capabilities lists each of them with its declared edges", () => {
    const table = sectionOf(architecture, "| Capability |");
    const rows = tableIn(table).map(
      ([name = "", , uses = ""]) => [wordsIn(name)[0] ?? "", wordsIn(uses).sort()] as const,
    );
    assert.deepEqual(rows.map(([name]) => name).sort(), folders("capabilities"));
    for (const [name, uses] of rows) assert.deepEqual(uses, [...(capabilityEdges[name] ?? [])].sort(), name);
  });

  test("the diagram of the floors has every capability and every area", () => {
    const [, capabilities = "", foundation = ""] =
      /\n2 {2}capabilities\/([\s\S]*?)\n1 {2}foundation\/([\s\S]*?)\n```/.exec(architecture) ?? [];
    const [, areas = ""] = /\n3 {2}areas\/([\s\S]*?)\n2 /.exec(architecture) ?? [];
    assert.ok(foundation.length > 0);
    assert.deepEqual(capabilities.trim().split(/\s+/).sort(), folders("capabilities"));
    assert.deepEqual(areas.trim().split(/\s+/).sort(), folders("areas"));
  });

  test("every law names the test that enforces it, and every architecture test is named", () => {
    const laws = tableIn(sectionOf(architecture, "| Law |"));
    const named = laws.flatMap(([, holder = ""]) => wordsIn(holder));
    for (const [law = "", holder = ""] of laws) assert.ok(wordsIn(holder).length > 0, law);
    assert.deepEqual(
      named.filter((name) => !files.some((path) => path.endsWith(`/${name}`))),
      [],
    );
    const tests = files
      .filter((path) => path.endsWith(".architecture.test.ts"))
      .map((path) => path.split("/").at(-1) ?? "");
    assert.deepEqual(
      tests.filter((name) => !named.includes(name)),
      [],
    );
  });
});

describe("every file that a page names exists", () => {
  const pages = ["CONTRIBUTING.md", "SECURITY.md", ...globSync("docs/**/*.md", { cwd: root })];
  for (const page of pages) {
    test(page, () => {
      assert.deepEqual(missingFiles(read(page)), []);
    });
  }

  const named = ["docs/ARCHITECTURE.md", "CONTRIBUTING.md", ...globSync("docs/decisions/*.md", { cwd: root })];
  test("so does every folder, in the pages about the architecture", () => {
    for (const page of named) assert.deepEqual(missingFolders(read(page)), [], page);
  });

  test("a missing one would be found", () => {
    assert.deepEqual(missingFolders("`docs/`, `areas/admin/`, `areas/no-such-area/`, `/v1/`"), ["areas/no-such-area/"]);
    assert.deepEqual(missingFiles("`documents.test.ts`, `no-such-file.ts`, `test/no-such-file.mjs`, `*-store.ts`"), [
      "no-such-file.ts",
      "test/no-such-file.mjs",
    ]);
  });
});

describe("docs/GLOSSARY.md", () => {
  const glossary = read("docs/GLOSSARY.md");
  const sources = files
    .filter((path) => /^packages\/.*\.(ts|sql)$/.test(path))
    .map(read)
    .join("\n");
  const rows = glossary
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| Word "))
    .map((line) => line.slice(2, -2).split(" | "));

  test("every word is used in the sources", () => {
    const words = rows.flatMap(([word = ""]) => word.replaceAll(/ \(.*?\)/g, "").split(", "));
    assert.ok(words.length > 100, "there are words");
    assert.deepEqual(
      words.filter((word) => !isUsed(sources, word)),
      [],
    );
  });

  test("everything written as code is in the sources", () => {
    const code = rows.flatMap((cells) => cells.flatMap(wordsIn)).filter((word) => /^[\w-]+$/.test(word));
    assert.deepEqual(
      code.filter((word) => !sources.includes(word)),
      [],
    );
  });

  test("an unused word would be found", () => {
    assert.equal(isUsed("const badgeRow = 1;", "badge row"), true);
    assert.equal(isUsed("const badgeRow = 1;", "badge map"), false);
  });
});

describe("the searches of a newcomer in CONTRIBUTING.md", () => {
  const rows = tableIn(sectionOf(read("CONTRIBUTING.md"), "| Question |"));

  test("there are twelve, each with one or two lookups", () => {
    assert.equal(rows.length, 12);
    for (const [question = "", lookups = ""] of rows) assert.ok([1, 2].includes(lookupsIn(lookups).length), question);
  });

  for (const [question = "", lookups = ""] of rows)
    test(question, () => {
      for (const { word, file } of lookupsIn(lookups)) assert.equal(whatIsWrong(word, file), null);
    });

  test("a moved file and a vanished word would be found", () => {
    assert.match(whatIsWrong("everyMs", "no-such-file.ts") ?? "", /no file/);
    assert.match(whatIsWrong("noSuchWord", "foundation/background.ts") ?? "", /does not say/);
  });

  function lookupsIn(cell: string): { readonly word: string; readonly file: string }[] {
    return [...cell.matchAll(/`([^`]+)` → `([^`]+)`/g)].map(([, word = "", file = ""]) => ({ word, file }));
  }

  function whatIsWrong(word: string, file: string): string | null {
    const found = files.filter((path) => path === file || path.endsWith(`/${file}`));
    if (found.length === 0) return `there is no file ${file}`;
    return found.some((path) => read(path).includes(word)) ? null : `${file} does not say ${word}`;
  }
});

// In any compound name, and in the plural.
function isUsed(sources: string, word: string): boolean {
  return new RegExp(`${word.replaceAll(" ", "[\\s_-]?")}`, "i").test(sources);
}

// Placeholder names: a use case, a test beside its file, a migration.
const placeholders = /^(verb-noun|x|x\.test|.*\bNNNN_\w+)\.\w+$/;

function missingFiles(text: string): string[] {
  const named = [...text.matchAll(/`([\w./-]+\.(?:ts|mjs|sql|py))`/g)].map((match) => match[1] ?? "");
  return named.filter(
    (name) =>
      !/^[.-]/.test(name) &&
      !placeholders.test(name) &&
      !files.some((path) => path === name || path.endsWith(`/${name}`)),
  );
}

function missingFolders(text: string): string[] {
  const named = [...text.matchAll(/`([a-z.][\w.-]*(?:\/[\w.-]+)*\/)`/g)].map((match) => match[1] ?? "");
  // `npm run pack` creates the file that a clone does not have; x means any name.
  return named.filter(
    (name) => !/^packed\/|\/x\//.test(name) && !files.some((path) => `/${path}`.includes(`/${name}`)),
  );
}

// From the line that begins like this to the next empty line.
function sectionOf(text: string, beginning: string): string {
  const start = text.indexOf(`\n${beginning}`);
  assert.ok(start >= 0, `${beginning} is there`);
  return text.slice(start + 1).split("\n\n")[0] ?? "";
}

function tableIn(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split(" | ")
        .map((cell) => cell.trim()),
    );
}

function wordsIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
}

test("README's counts of node classes, shipped providers and sandbox models are right", () => {
  const readme = read("README.md");
  const providers = readdirSync(join(root, "packages/server/providers")).filter(
    (name) => name.endsWith(".json") && !name.includes(".fixtures."),
  );
  assert.match(readme, new RegExp(`\\| ${builtInClasses.size} node classes in`));
  assert.match(readme, new RegExp(`\\b${providers.length} providers ship\\b`));
  assert.match(readme, new RegExp(`\\b${sandboxModels.length} sandbox models\\b`));
});
