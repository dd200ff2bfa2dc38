// Counts in prose are compared with the code: "147 node classes", "thirteen providers shipped", "the fifteen buckets".
// Each counted noun is listed with its true number; a phrase with another number fails, in digits or in words. The
// changelog, the decisions and the benchmarks describe one moment and are left alone.
import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { operations, routerBuckets } from "@atelier/contract";
import { builtInClasses } from "@atelier/engine";
import { sandboxModels } from "@atelier/sandbox";
import { samplerNames } from "../../src/foundation/tracing/sampling.ts";
import { floors } from "../architecture/sources.ts";

const root = join(import.meta.dirname, "../../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

interface Counted {
  // As it is written after the number.
  readonly noun: RegExp;
  readonly count: number;
  // A phrase to plant, with "#" for the number.
  readonly example: string;
  // Smaller numbers mean only a few of them.
  readonly least?: number;
}

const counted: readonly Counted[] = [
  {
    noun: /(?:built-in |node |weight-free )+classes\b/,
    count: builtInClasses.size,
    example: "# node classes",
    least: 10,
  },
  { noun: /buckets\b/, count: routerBuckets.length, example: "the # buckets" },
  { noun: /error types\b/, count: routerBuckets.length, example: "one of the # error types" },
  { noun: /providers ship(?:ped)?\b|shipped providers\b/, count: shippedProviders(), example: "# providers shipped" },
  { noun: /sandbox models\b|models, \w+ partners\b/, count: sandboxModels.length, example: "# sandbox models" },
  { noun: /partners\b/, count: contractPartners(), example: "six models, # partners" },
  { noun: /floors\b/, count: floors.length, example: "# floors" },
  { noun: /surfaces\b/, count: surfaces(), example: "the # surfaces" },
  { noun: /areas\b/, count: foldersIn("packages/server/src/areas"), example: "# areas" },
  { noun: /capabilities\b/, count: foldersIn("packages/server/src/capabilities"), example: "# capabilities" },
  { noun: /packages\b/, count: foldersIn("packages"), example: "# packages" },
  { noun: /operations\b/, count: Object.keys(operations).length, example: "# operations", least: 10 },
  { noun: /samplers\b/, count: samplerNames.length, example: "the # samplers" },
  { noun: /walks\b/, count: walks(), example: "# walks" },
  { noun: /searches\b/, count: searches(), example: "# searches" },
  { noun: /graphs and what they make\b/, count: galleryGraphs(), example: "# graphs and what they make" },
];

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "docs/{*,guides/*}.md",
  "packages/*/README.md",
  "examples/**/*.md",
]
  .flatMap((pattern) => globSync(pattern, { cwd: root, exclude: (path) => path.includes("node_modules") }))
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => !path.startsWith("docs/BENCHMARKS"));

describe("the counts in the pages match the code", () => {
  for (const page of pages)
    test(page, () => {
      assert.deepEqual(wrongCounts(read(page)), []);
    });

  test("the pages contain such counts", () => {
    const all = pages.map(read).join("\n");
    const found = counted.filter((one) => numbersBefore(all, one).length > 0);
    assert.ok(found.length >= 8, found.map(({ example }) => example).join(", "));
  });
});

describe("a planted fault is found", () => {
  for (const { example, count } of counted) {
    test(`${example}, in digits, in words and across a line break`, () => {
      for (const number of [String(count + 1), wordOf(count + 1), `${count + 1}\n `])
        assert.equal(wrongCounts(example.replace("#", number)).length, 1, number);
      for (const number of [String(count), wordOf(count)])
        assert.deepEqual(wrongCounts(example.replace("#", number)), [], number);
    });
  }
});

function wrongCounts(text: string): string[] {
  return counted.flatMap((one) =>
    numbersBefore(text, one)
      .filter(({ number }) => number !== one.count)
      .map(({ phrase }) => `"${phrase}": there are ${one.count}`),
  );
}

const units =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const numberPattern = `\\d[\\d,]*|(?:${tens.join("|")})(?:-(?:${units.slice(1, 10).join("|")}))?|${units.slice(2).reverse().join("|")}`;

function numbersBefore(
  text: string,
  { noun, least = 2 }: Counted,
): { readonly phrase: string; readonly number: number }[] {
  // Neither the end of a longer number or name (1.147, v2), nor a folder.
  const pattern = new RegExp(`(?<![\\w.,-])(${numberPattern})\\s+(?:${noun.source})(?!/)`, "gi");
  return [...text.matchAll(pattern)]
    .map(([phrase, number = ""]) => ({ phrase: phrase.replaceAll(/\s+/g, " "), number: numberIn(number) }))
    .filter(({ number }) => number >= least);
}

function numberIn(written: string): number {
  if (/^\d/.test(written)) return Number(written.replaceAll(",", ""));
  const [first = "", second = ""] = written.toLowerCase().split("-");
  const ten = tens.indexOf(first);
  return ten === -1 ? units.indexOf(first) : (ten + 2) * 10 + Math.max(0, units.indexOf(second));
}

function wordOf(number: number): string {
  if (number < 20) return units[number] ?? "";
  if (number >= 100) return String(number);
  const ten = tens[Math.floor(number / 10) - 2] ?? "";
  return number % 10 === 0 ? ten : `${ten}-${units[number % 10]}`;
}

function foldersIn(path: string): number {
  return readdirSync(join(root, path), { withFileTypes: true }).filter((entry) => entry.isDirectory()).length;
}

function shippedProviders(): number {
  return readdirSync(join(root, "packages/server/providers")).filter(
    (name) => name.endsWith(".json") && !name.includes(".fixtures."),
  ).length;
}

function contractPartners(): number {
  const slugs = Object.values(operations).flatMap(({ path }) => /^\/proxy\/([^/]+)\//.exec(path)?.[1] ?? []);
  return new Set(slugs).size;
}

// Each is a file that creates one.
function surfaces(): number {
  return ["cloud", "deployment", "self-hosted"].filter((name) =>
    read(`packages/server/src/surfaces/${name}.ts`).includes("Surface"),
  ).length;
}

// Each begins with what happens, in bold.
function walks(): number {
  const [, section = ""] = /\n## \w+ walks\n([\s\S]*?)\n## /.exec(read("docs/ARCHITECTURE.md")) ?? [];
  return [...section.matchAll(/^\*\*[^*]+\*\*/gm)].length;
}

function searches(): number {
  const [, table = ""] = /\n\| Question \|[^\n]*\n[^\n]*\n((?:\|[^\n]*\n)+)/.exec(read("CONTRIBUTING.md")) ?? [];
  return table.split("\n").filter((line) => line.startsWith("|")).length;
}

function galleryGraphs(): number {
  return globSync("examples/gallery/*.json", { cwd: root }).length;
}
