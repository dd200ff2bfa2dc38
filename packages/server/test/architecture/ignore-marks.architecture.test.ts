// A check is switched off only by a mark whose reason is on the short list in ignore-marks.ts. Marks are comments, so we
// search the comments of every file written by hand.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ignoreReasons } from "./ignore-marks.ts";
import { allSources, planted, type Sources } from "./sources.ts";
import { commentsIn, eachTree } from "./syntax.ts";

const mark =
  /(biome-ignore\S*|@ts-(?:ignore|expect-error|nocheck)|(?:eslint|oxlint|tslint|stylelint)-disable\S*|(?:prettier|deno-lint)-ignore\S*|(?:c8|v8|istanbul) ignore|node:coverage)(.*)/;

test("a check is switched off only for a listed reason", () => {
  assert.deepEqual(
    marksIn(allSources).flatMap(({ problem }) => problem ?? []),
    [],
  );
});

test("every listed reason is used", () => {
  const used = new Set(marksIn(allSources).map(({ reason }) => reason));
  const listed = Object.entries(ignoreReasons).flatMap(([check, reasons]) => reasons.map((why) => `${check}: ${why}`));
  assert.deepEqual(
    listed.filter((reason) => !used.has(reason)),
    [],
  );
});

describe("a planted fault is found", () => {
  const plants: readonly [name: string, path: string, text: string, line: number][] = [
    ["of Biome, with a reason of its own", "a.ts", "// biome-ignore lint/suspicious/noExplicitAny: quicker\nlet x;", 1],
    ["of Biome, for a whole file", "a.ts", "/* biome-ignore-all lint/a11y/useMediaCaption: all */\n", 1],
    ["without a reason", "a.ts", "const x = 1;\n// @ts-expect-error\nx = 2;", 2],
    ["of the compiler", "a.mjs", "// @ts-ignore: it works", 1],
    ["of the compiler, for a whole file", "a.ts", "// @ts-nocheck", 1],
    ["of ESLint", "a.ts", "let x; /* eslint-disable no-console */", 1],
    ["of a coverage", "a.ts", "function f() {\n  /* c8 ignore next */\n}", 2],
    ["in a page", "a.tsx", "const A = () => (\n  <p>\n    {/* oxlint-disable-next-line */}\n    It's\n  </p>\n);", 3],
  ];
  for (const [name, file, text, line] of plants)
    test(`a mark ${name}`, () => {
      const path = `packages/console/src/${file}`;
      const [found = "nothing found", ...others] = marksIn(planted(new Map(), [path, text])).map(
        ({ problem }) => problem ?? "no problem",
      );
      assert.match(found, /switches a check off/);
      assert.ok(found.startsWith(`${path}:${line} `), found);
      assert.deepEqual(others, []);
    });

  test("a mark in a string or in the text of a page is fine", () => {
    const text = 'const A = () => <p title="// @ts-ignore">See // biome-ignore</p>;';
    assert.deepEqual(marksIn(planted(new Map(), ["packages/console/src/a.tsx", text])), []);
  });
});

interface Mark {
  readonly reason: string;
  // Null if the reason is listed.
  readonly problem: string | null;
}

function marksIn(sources: Sources): Mark[] {
  return eachTree(new Map([...sources].filter(([, text]) => mark.test(text))), (path, file) =>
    commentsIn(file).flatMap(({ text, line }): Mark[] => {
      const [, tool = "", rest = ""] = mark.exec(text) ?? [];
      if (tool === "") return [];
      const reason = `${tool}${rest}`.replace(/\s*\*\/\}?\s*$/, "").trim();
      const isListed = Object.entries(ignoreReasons).some(([check, reasons]) =>
        reasons.some((why) => reason === `${check}: ${why}`),
      );
      return [{ reason, problem: isListed ? null : `${path}:${line()} switches a check off: ${reason}` }];
    }),
  );
}
