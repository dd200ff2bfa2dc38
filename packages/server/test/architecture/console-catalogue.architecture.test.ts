// The catalogue of the console's words (packages/console/src/strings) is whole and no larger than needed: every file is listed
// in en.ts, every entry is used, and a file belongs to one folder, so that no page loads the words of another.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Node, SourceFile } from "typescript/unstable/ast";
import {
  isAsExpression,
  isIdentifier,
  isImportDeclaration,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isSatisfiesExpression,
  isVariableDeclaration,
} from "typescript/unstable/ast/is";
import type { Translation } from "../../../console/src/strings/translation.ts";
import { isTestFile, packageSources, planted, type Sources } from "./sources.ts";
import { eachTree } from "./syntax.ts";

const house = "packages/console/src/";
const words = `${house}strings/en/`;
// For words that many pages share, such as those of buttons.
const common = "shared";

const sources: Sources = new Map([...packageSources].filter(([path]) => path.startsWith(house) && !isTestFile(path)));

test("every catalogue file is listed, every entry is used, and each file has one owner", () => {
  assert.ok(sources.has(`${words}errors.ts`), "the strings were found");
  assert.deepEqual(faultsIn(sources), []);
});

describe("a planted fault is found", () => {
  const list = `${house}strings/en.ts`;
  const sound: Sources = new Map([
    [list, 'export { a } from "./en/a.ts";'],
    [`${words}a.ts`, 'export const a = { title: "A", columns: { one: "One", two: "Two" } } as const;'],
    [
      `${house}pages/a/a.tsx`,
      'import { a as words } from "#strings/a";\nexport const A = () => [words.title.length, words.columns[name]];',
    ],
  ]);
  const plants: readonly [name: string, path: string, text: string, expected: string][] = [
    ["a file that is not listed", list, "", "strings/en/a.ts is not listed in strings/en.ts"],
    [
      "an entry that is not used",
      `${words}a.ts`,
      'export const a = { title: "A", lead: "B", columns: {} } as const;',
      "strings/en/a.ts: lead is not used",
    ],
    [
      "an entry within another",
      `${house}pages/a/a.tsx`,
      'import { a as words } from "#strings/a";\nexport const A = () => [words.title, words.columns.one];',
      "strings/en/a.ts: columns.two is not used",
    ],
    [
      "a page that reads the words of another",
      `${house}pages/b/b.tsx`,
      'import { a } from "#strings/a";\nexport const B = () => a.title;',
      "strings/en/a.ts is read by pages/a and pages/b: move what both need to shared",
    ],
    [
      "a page that reads the whole list",
      `${house}pages/a/b.tsx`,
      'import { a } from "../../strings/en.ts";\nexport const B = () => a.title;',
      "pages/a/b.tsx reads strings by a path: import #strings/…",
    ],
  ];
  for (const [name, path, text, expected] of plants)
    test(name, () => assert.deepEqual(faultsIn(planted(sound, [path, text])), [expected]));

  test("a clean catalogue has no fault", () => assert.deepEqual(faultsIn(sound), []));
});

test("a translation that misses an entry, drops a placeholder or ignores a value does not compile", () => {
  const english = {
    title: "Errors",
    lead: "{count} calls failed at {time}",
    columns: { first: "First" },
    open: (id: string) => `Open ${id}`,
  } as const;
  type Wanted = Translation<typeof english>;
  const whole: Wanted = {
    title: "Fehler",
    lead: "Um {time} sind {count} Aufrufe gescheitert",
    columns: { first: "Zuerst" },
    open: (id) => `${id} öffnen`,
  };
  // @ts-expect-error: the type must refuse this
  const lacking: Wanted["columns"] = {};
  // @ts-expect-error: the type must refuse this
  const nameless: Wanted["lead"] = "{count} Aufrufe sind gescheitert";
  // @ts-expect-error: the type must refuse this
  const plain: Wanted["open"] = "Öffnen";
  // @ts-expect-error: the type must refuse this
  const other: Wanted["open"] = (count: number) => `${count} öffnen`;
  assert.equal(whole.open("7"), "7 öffnen");
  assert.equal([lacking, nameless, plain, other].length, 4);
});

interface Use {
  readonly file: string;
  readonly owner: string;
  // Empty if the whole object is passed on.
  readonly path: string;
}

function faultsIn(all: Sources): string[] {
  const files = [...all.keys()].filter((path) => path.startsWith(words));
  const listed = all.get(`${house}strings/en.ts`) ?? "";
  const readers = new Map([...all].filter(([path]) => !path.startsWith(`${house}strings/`)));
  const uses = eachTree(readers, usesIn);
  const entries = eachTree(new Map([...all].filter(([path]) => files.includes(path))), entriesIn);
  return [
    ...files
      .filter((path) => !listed.includes(`from "./en/${path.slice(words.length)}"`))
      .map((path) => `strings/en/${path.slice(words.length)} is not listed in strings/en.ts`),
    ...entries
      .filter(({ file, path }) => !uses.some((use) => use.file === file && reaches(use.path, path)))
      .map(({ file, path }) => `strings/en/${file}.ts: ${path} is not used`),
    ...files.flatMap((path) => {
      const file = path.slice(words.length).replace(/\.ts$/, "");
      const owners = [...new Set(uses.filter((use) => use.file === file).map(({ owner }) => owner))];
      if (file === common || owners.length < 2) return [];
      return [`strings/en/${file}.ts is read by ${owners.join(" and ")}: move what both need to ${common}`];
    }),
    ...[...readers]
      .filter(([, text]) => /from "[./]+\/strings\//.test(text))
      .map(([path]) => `${path.slice(house.length)} reads strings by a path: import #strings/…`),
  ];
}

// A use of the object that holds an entry is a use of the entry, and so is a member of the entry's own value.
function reaches(used: string, entry: string): boolean {
  return used === "" || used === entry || entry.startsWith(`${used}.`) || used.startsWith(`${entry}.`);
}

function usesIn(path: string, file: SourceFile): Use[] {
  const [floor = "", page = ""] = path.slice(house.length).split("/");
  const owner = floor === "pages" ? `${floor}/${page}` : floor;
  const imported = new Map<string, string>();
  for (const [, inner = "", name = ""] of file.text.matchAll(/import \{([^}]*)\} from "#strings\/([\w/-]+)"/g))
    for (const each of inner.split(",")) {
      const local = each.trim().split(" as ").at(-1)?.trim();
      if (local) imported.set(local, name);
    }
  const uses: Use[] = [];
  const visit = (node: Node): void => {
    if (isImportDeclaration(node)) return;
    const chain = chainOf(node);
    const from = imported.get(chain[0] ?? "");
    if (from !== undefined) uses.push({ file: from, owner, path: chain.slice(1).join(".") });
    else node.forEachChild(visit);
  };
  if (imported.size > 0) visit(file);
  return uses;
}

// `words.columns.first` as its names.
function chainOf(node: Node): string[] {
  if (isIdentifier(node)) return [node.text];
  if (!isPropertyAccessExpression(node)) return [];
  const before = chainOf(node.expression);
  return before.length === 0 ? [] : [...before, node.name.text];
}

function entriesIn(path: string, file: SourceFile): { readonly file: string; readonly path: string }[] {
  const entries: string[] = [];
  const visit = (node: Node, above: string): void => {
    if (isAsExpression(node) || isSatisfiesExpression(node)) visit(node.expression, above);
    else if (isObjectLiteralExpression(node))
      for (const member of node.properties) {
        if (!isPropertyAssignment(member)) continue;
        const name = member.name.getText(file).replaceAll('"', "");
        const at = above === "" ? name : `${above}.${name}`;
        if (isObjectLiteralExpression(member.initializer)) visit(member.initializer, at);
        else entries.push(at);
      }
  };
  const find = (node: Node): void => {
    if (isVariableDeclaration(node) && node.initializer) visit(node.initializer, "");
    else node.forEachChild(find);
  };
  find(file);
  const name = path.slice(words.length).replace(/\.ts$/, "");
  return entries.map((each) => ({ file: name, path: each }));
}
