// No function is longer than 80 lines, from its first line to its last: a longer one hides steps that have names. Counted
// on the syntax tree, in all packages and scripts. A page's component is a function too.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
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
import { productSources, type Sources } from "./sources.ts";
import { eachTree } from "./syntax.ts";

const linesMax = 80;

describe("no function is longer than 80 lines", () => {
  test("in every package, and in the scripts", () => {
    for (const path of ["packages/console/src/main.tsx", "packages/console/build.mjs", "scripts/test.mjs"])
      assert.ok(productSources.has(path), path);
    assert.deepEqual(longFunctions(productSources), []);
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

  test("a long component is found", () => {
    const text = `export function Page() {\n  return (\n    <ul>\n${"      <li>It's / one</li>\n".repeat(75)}    </ul>\n  );\n}`;
    const found = longFunctions(new Map([["packages/console/src/planted.tsx", text]]));
    assert.deepEqual(found, ["packages/console/src/planted.tsx Page has 81 lines"]);
  });

  test("80 lines are not too many", () => {
    const text = `step();\nstep();\nexport function work(): void {\n${"  step();\n".repeat(78)}}`;
    assert.deepEqual(longFunctions(new Map([["packages/sandbox/src/planted.ts", text]])), []);
  });
});

function longFunctions(all: Sources): string[] {
  // A file this short has no function that is too long.
  return eachTree(new Map([...all].filter(([, text]) => text.split("\n").length > linesMax)), longIn);
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

// Its own name, or the name it is assigned to.
function nameOf(node: Node, file: SourceFile): string {
  if (isFunctionDeclaration(node) || isMethodDeclaration(node) || isGetAccessorDeclaration(node))
    return node.name?.getText(file) ?? "a function";
  const { parent } = node;
  const isNamed = isVariableDeclaration(parent) || isPropertyAssignment(parent) || isPropertyDeclaration(parent);
  return isNamed ? parent.name.getText(file) : "a function";
}
