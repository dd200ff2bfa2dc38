// The parts of a process are created in the order of the source: no function is passed on that uses a constant created
// further down, so it cannot be called too early. Read by indentation, which the formatter keeps.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { codeWithoutComments, isTestFile, planted, type Sources, serverSources } from "./sources.ts";

test("processes use nothing before it is made", () => {
  assert.deepEqual(usedTooEarly(serverSources), []);
});

describe("a planted fault is found", () => {
  const plants: readonly [name: string, text: string, found: string][] = [
    [
      "a function over a constant of further down",
      "function build() {\n  const one = make({ url: () => two.url() });\n  const two = make(one);\n}\n",
      "two",
    ],
    [
      "the same in several lines",
      "function build() {\n  const one = make({\n    areas: () =>\n      [...two],\n  });\n  const two = make(one);\n}\n",
      "two",
    ],
    [
      "a name out of several",
      "function build() {\n  const one = make(() => run(two));\n  const { three, two } = make(one);\n}\n",
      "two",
    ],
    [
      "a constant that its own making hands on",
      "function build() {\n  const one = make({\n    all: () => [one],\n  });\n  return one;\n}\n",
      "one",
    ],
  ];
  for (const [name, text, found] of plants) {
    test(name, () => {
      const [sentence = "", ...others] = usedTooEarly(planted(serverSources, ["processes/planted.ts", text]));
      assert.match(sentence, new RegExp(`^processes/planted.ts uses ${found} before it is made`));
      assert.deepEqual(others, []);
    });
  }
});

function usedTooEarly(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) =>
    path.startsWith("processes/") && !isTestFile(path) ? usedBeforeMade(path, codeWithoutComments(text)) : [],
  );
}

function usedBeforeMade(path: string, code: string): string[] {
  const lines = withoutTexts(code).split("\n");
  return lines.flatMap((line, at) => {
    const [, indent = "", names = ""] = /^( +)const (\w+\b|\{[\w\s,:]*\}|\[[\w\s,]*\])/.exec(line) ?? [];
    const made = [...names.matchAll(/(\w+)\s*(?:[,}\]]|$)/g)].map(([, name = ""]) => name);
    if (made.length === 0) return [];
    const before = lines.slice(blockStart(lines, at, indent.length) + 1, at);
    const own = restOfMaking(lines, at, indent.length);
    return made
      .filter((name) => [...before, ...own].some((text) => usesLater(text, name, indent.length)))
      .map((name) => `${path} uses ${name} before it is made, in line ${at + 1}`);
  });
}

// Removes strings and patterns, and keeps only the expressions of a template.
function withoutTexts(code: string): string {
  return code
    .replace(/"(?:[^"\\\n]|\\.)*"|(?<=[=(,:] ?)\/(?:[^/\\\n]|\\.)+\//g, "0")
    .replace(/`(?:[^`\\]|\\.)*`/g, (text) =>
      [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, value]) => `(${value})`).join("+"),
    );
}

function blockStart(lines: readonly string[], at: number, indent: number): number {
  for (let above = at - 1; above >= 0; above--) {
    const line = lines[above] ?? "";
    if (line.trim() !== "" && depthOf(line) < indent) return above;
  }
  return -1;
}

// The lines after the first of a constant's initialiser. None for a function, which may call itself.
function restOfMaking(lines: readonly string[], at: number, indent: number): string[] {
  if (/^ *const \w+ = (?:async )?(?:\(|<|\w+ =>)/.test(lines[at] ?? "")) return [];
  const isEnd = (line: string, index: number) =>
    line.trimEnd().endsWith(";") && depthOf(lines[at + index + 1] ?? "") <= indent;
  return lines.slice(at + 1, at + 1 + Math.max(lines.slice(at).findIndex(isEnd), 0));
}

const depthOf = (line: string) => line.length - line.trimStart().length;

// Only a function can use a name later: behind an arrow, or deeper than where the name is created.
function usesLater(line: string, name: string, indent: number): boolean {
  const isBound = new RegExp(`\\b(?:const|let) [^=]*\\b${name}\\b|\\(.*\\b${name}\\b[^()]*\\) =>|\\b${name} =>`).test(
    line,
  );
  const use = new RegExp(`(?:^|[^\\w$.]|\\.\\.\\.)${name}(?![\\w$]|\\??:)`).exec(line);
  return use !== null && !isBound && (depthOf(line) > indent || line.slice(0, use.index).includes("=>"));
}
