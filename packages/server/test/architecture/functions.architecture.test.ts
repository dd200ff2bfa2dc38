// No function is longer than 80 lines, from its first line to its last, whatever it contains: what is longer hides steps
// that have names. Counted on the syntax tree, in all packages and scripts.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Node, SourceFile } from "typescript/unstable/ast";
import {
  isArrowFunction,
  isConstructorDeclaration,
  isFunctionDeclaration,
  isFunctionExpression,
  isGetAccessorDeclaration,
  isMethodDeclaration,
  isPropertyAssignment,
  isPropertyDeclaration,
  isSetAccessorDeclaration,
  isVariableDeclaration,
} from "typescript/unstable/ast/is";
import { createVirtualFileSystem } from "typescript/unstable/fs";
import { API } from "typescript/unstable/sync";
import { isTestFile, packageSources, type Sources } from "./sources.ts";

const linesMax = 80;

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const scripts = globSync("{scripts,bench}/**/*.{ts,mjs}", { cwd: root });
const product: Sources = new Map([
  ...[...packageSources].filter(([path]) => !isTestFile(path)),
  ...scripts.map((path) => [path.replaceAll("\\", "/"), readFileSync(join(root, path), "utf8")] as const),
]);

describe("no function is longer than 80 lines", () => {
  test("in every package, and in the scripts", () => {
    assert.ok(product.size > 1_000, "the sources were found");
    assert.deepEqual(longFunctions(product), []);
  });

  const body = "  step();\n".repeat(79);
  const plants: readonly [kind: string, name: string, text: string][] = [
    ["declaration", "work", `export function work(): void {\n${body}}`],
    ["expression", "work", `export const work = function () {\n${body}};`],
    ["arrow", "work", `export const work = async () => {\n${body}};`],
    ["arrow that is one expression", "work", `export const work = () =>\n  [\n${"    1,\n".repeat(78)}  ];`],
    ["method", "work", `export class Crew {\n  work(): void {\n${body}  }\n}`],
    ["private method", "#work", `export class Crew {\n  async #work() {\n${body}  }\n}`],
    ["constructor", "a function", `export class Crew {\n  constructor() {\n${body}  }\n}`],
    ["getter", "work", `export const crew = {\n  get work() {\n${body}  },\n};`],
    ["callback", "a function", `step(() => {\n${body}});`],
    ["function inside a short one", "inner", `const work = [() => (inner) => {}, { inner: () => {\n${body}} }];`],
  ];
  for (const [kind, name, text] of plants) {
    test(`a long ${kind} is found`, () => {
      const found = longFunctions(new Map([["packages/sandbox/src/planted.ts", text]]));
      assert.deepEqual(found, [`packages/sandbox/src/planted.ts ${name} has 81 lines`]);
    });
  }

  test("80 lines are not too many", () => {
    const text = `step();\nstep();\nexport function work(): void {\n${"  step();\n".repeat(78)}}`;
    assert.deepEqual(longFunctions(new Map([["packages/sandbox/src/planted.ts", text]])), []);
  });
});

function longFunctions(all: Sources): string[] {
  // A shorter file has no longer function.
  const sources = new Map([...all].filter(([, text]) => text.split("\n").length > linesMax));
  if (sources.size === 0) return [];
  // Only what is handed in is parsed: no types, no libraries, nothing that the files import.
  const options = { noLib: true, noResolve: true, types: [], allowJs: true, noEmit: true };
  const config = JSON.stringify({ compilerOptions: options, files: [...sources.keys()] });
  const files = Object.fromEntries([...sources].map(([path, text]) => [`/${path}`, text]));
  const api = new API({ cwd: "/", fs: createVirtualFileSystem({ ...files, "/tsconfig.json": config }) });
  try {
    const [project] = api.updateSnapshot({ openProject: "/tsconfig.json" }).getProjects();
    return [...sources.keys()].flatMap((path) => {
      const file = project?.program.getSourceFile(`/${path}`);
      assert.ok(file, path);
      return longIn(path, file);
    });
  } finally {
    api.close();
  }
}

function longIn(path: string, file: SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (isFunction(node)) {
      const lines = file.text.slice(node.getStart(file), node.end).split("\n").length;
      if (lines > linesMax) found.push(`${path} ${nameOf(node, file)} has ${lines} lines`);
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

function isFunction(node: Node): boolean {
  const isOne = [isFunctionDeclaration, isFunctionExpression, isArrowFunction, isMethodDeclaration];
  const isAccessor = [isConstructorDeclaration, isGetAccessorDeclaration, isSetAccessorDeclaration];
  return [...isOne, ...isAccessor].some((is) => is(node));
}

// Its own name, or that of what it is assigned to.
function nameOf(node: Node, file: SourceFile): string {
  if (isFunctionDeclaration(node) || isMethodDeclaration(node) || isGetAccessorDeclaration(node))
    return node.name?.getText(file) ?? "a function";
  const { parent } = node;
  const isNamed = isVariableDeclaration(parent) || isPropertyAssignment(parent) || isPropertyDeclaration(parent);
  return isNamed ? parent.name.getText(file) : "a function";
}
