// The console names what it calls by operation, never by a path of its own: the contract's types then cover the parameters, the
// body and the answer, and a renamed path cannot be missed. An address that the server gave (a link in an answer) is not a
// literal and stays allowed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CallExpression, Expression, Node, SourceFile } from "typescript/unstable/ast";
import {
  isCallExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isStringLiteral,
  isTemplateHead,
  isVariableDeclaration,
} from "typescript/unstable/ast/is";
import { isTestFile, packageSources, planted, type Sources } from "./sources.ts";
import { eachTree, nodesOf } from "./syntax.ts";

const house = "packages/console/src/";
const senders: ReadonlySet<string> = new Set(["call", "callRaw", "send", "fetch", "authorisedFetch", "addressOf"]);

const sources: Sources = new Map(
  [...packageSources].filter(([path]) => path.startsWith(house) && !path.includes("/generated/") && !isTestFile(path)),
);

test("no console file calls a hard-coded path", () => {
  assert.ok(sources.has(`${house}api/client.ts`), "the console was found");
  assert.deepEqual(spelledPaths(sources), []);
});

describe("a planted fault is found", () => {
  const plants: readonly [name: string, text: string][] = [
    ["a literal", 'void call("/account/keys", {});'],
    ["a literal to send", 'const x = await send("/metrics");'],
    ["a template", "const x = fetch(`/account/keys/\x24{id}`);"],
    ["one of two", 'void callRaw(isNew ? operations.createKey : "/account/keys");'],
    ["a name for a literal", 'const path = "/account/webhooks/deliveries";\nvoid send(path);'],
    ["a name for a template", "const at = `/jobs/\x24{id}`;\nvoid authorisedFetch(`\x24{at}/events`);"],
    ["a function that builds one", "const pathOf = (id: string) => `/jobs/\x24{id}`;\nvoid send(pathOf(id));"],
  ];
  for (const [name, text] of plants)
    test(name, () => {
      const found = spelledPaths(planted(new Map(), [`${house}pages/planted/planted.ts`, text]));
      assert.deepEqual(found.length, 1, found.join());
      assert.match(found[0] ?? "", /^pages\/planted\/planted\.ts:\d+ /);
    });

  test("an address that the server gave is fine", () => {
    const text =
      'void send(asset.urls.content, { headers: { accept: "/" } });\nvoid fetch(addressOf(operations.getHealth));';
    assert.deepEqual(spelledPaths(planted(new Map(), [`${house}pages/planted/planted.ts`, text])), []);
  });
});

function spelledPaths(all: Sources): string[] {
  return eachTree(all, (path, file) =>
    callsIn(file).flatMap((node) => {
      const [first] = node.arguments;
      if (first === undefined || !isSpelled(file, first)) return [];
      const line = file.text.slice(0, node.getStart(file)).split("\n").length;
      return [`${path.slice(house.length)}:${line} ${node.getText(file).split("\n")[0]}`];
    }),
  );
}

function callsIn(file: SourceFile): CallExpression[] {
  return nodesOf(file, [isCallExpression])
    .filter((node) => isCallExpression(node))
    .filter(({ expression }) => isIdentifier(expression) && senders.has(expression.getText(file)));
}

// A path anywhere in the expression, or in the value of a name of this file that it uses.
function isSpelled(file: SourceFile, expression: Expression): boolean {
  if (hasPath(file, expression)) return true;
  const names = new Set(nodesOf(expression, [isIdentifier]).map((node) => node.getText(file)));
  return nodesOf(file, [isVariableDeclaration]).some(
    (node) =>
      isVariableDeclaration(node) &&
      node.initializer !== undefined &&
      names.has(node.name.getText(file)) &&
      hasPath(file, node.initializer),
  );
}

function hasPath(file: SourceFile, node: Node): boolean {
  const literals = nodesOf(node, [isStringLiteral, isNoSubstitutionTemplateLiteral, isTemplateHead]);
  return literals.some((each) => /^["'`]\/./.test(each.getText(file)));
}
