// Documents tell the truth: what is generated from the code equals the code, and promises written by hand are checked by
// hand.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, test } from "node:test";
import { generatedFiles } from "../../../scripts/generated.ts";
import { readReleases } from "../src/areas/system/release-notes.ts";

const root = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const files = await generatedFiles();

describe("generated documents match the code", () => {
  const expected = [
    "openapi.json",
    ".env.example",
    "NOTICE.md",
    "packages/server/atelier.config.schema.json",
    "docs/SETTINGS.md",
    "docs/NODE-CLASSES.md",
    "docs/ERRORS.md",
  ];
  test("the list of such files is complete", () => {
    const written = files.map(({ path }) => path);
    assert.deepEqual(
      expected.filter((path) => !written.includes(path)),
      [],
    );
  });

  for (const { path, text } of files) {
    test(path, () => {
      assert.ok(existsSync(join(root, path)), `${path} is missing: run \`npm run openapi\` and commit it`);
      assert.ok(read(path) === text, `${path} is not what the code says: run \`npm run openapi\` and commit it`);
    });
  }

  test("the blocks in the documents are not empty", () => {
    for (const [path, block] of [
      ["docs/SETTINGS.md", "settings"],
      ["docs/NODE-CLASSES.md", "classes"],
      ["docs/ERRORS.md", "faults"],
      ["docs/ERRORS.md", "buckets"],
    ] as const) {
      const inside = read(path).split(`<!-- ${block}:begin -->`)[1]?.split(`<!-- ${block}:end -->`)[0] ?? "";
      assert.ok(inside.split("\n").length > 10, `${path}, ${block}`);
    }
  });
});

test("every installed third-party package is in the notices with its licence, LGPL parts in words", () => {
  const notice = read("NOTICE.md");
  const lock: { packages: Record<string, { version?: string; license?: string; dev?: boolean; link?: boolean }> } =
    JSON.parse(read("package-lock.json"));
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.includes("node_modules/") && dev !== true && link !== true,
  );
  assert.ok(installed.length > 50);
  for (const [path, { version, license }] of installed) {
    const name = path.split("node_modules/").at(-1);
    assert.ok(license !== undefined, `${name} tells no licence`);
    assert.ok(notice.includes(`| ${name} | ${version} | ${license} |`), `${name} ${version}: run \`npm run openapi\``);
    if (!/GPL/.test(license)) continue;
    const family = `${name?.split("-").slice(0, 2).join("-")}`;
    assert.ok(notice.split("## Programs")[0]?.includes(family), `${name} is told of in words`);
  }
});

test("the notices say that operators install the editor, and no dependency or tracked file brings it", () => {
  const notice = read("NOTICE.md").split("## What operators may add")[1]?.split("## All packages")[0] ?? "";
  for (const words of ["comfyui-frontend-package", "GPL-3.0", "atelier editor install"])
    assert.ok(notice.includes(words), words);
  assert.doesNotMatch(read("package-lock.json"), /comfyui[-_]frontend/);
  const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  assert.ok(tracked.length > 1_000);
  // Its files in the wheel, and the wheel itself.
  const strays = tracked.filter((path) => /\.whl$|comfyui_frontend|(^|\/)editor\/.*-[\w-]{8}\.(js|css)/.test(path));
  assert.deepEqual(strays, []);
});

test("decision 0008 explains every direct dependency of the server, and no other", () => {
  const table = [...read("docs/decisions/0008-dependencies.md").matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)];
  const manifest: unknown = JSON.parse(read("packages/server/package.json"));
  assert.ok(typeof manifest === "object" && manifest !== null && "dependencies" in manifest);
  const direct = Object.keys(Object(manifest.dependencies));
  assert.deepEqual(table.map((match) => match[1]).sort(), direct.sort());
  for (const [, name, why] of table) assert.ok((why ?? "").length > 20, `${name} has a reason`);
  assert.ok(direct.length <= 22, "at most 22, as the decision says");
});

describe("every relative link leads to a file, and every anchor to a heading", () => {
  const documents = globSync("**/*.md", { cwd: root, exclude: (path) => /node_modules|dist|\.atelier/.test(path) });
  const links = documents.flatMap((path) => linksIn(read(path)).map((target) => ({ path, target })));

  test("there are links", () => assert.ok(links.length > 15, `${links.length} links in ${documents.length} documents`));

  for (const { path, target } of links) {
    test(`${path} → ${target}`, () => {
      const [file = "", anchor] = target.split("#");
      const full = file === "" ? join(root, path) : resolve(root, dirname(path), decodeURIComponent(file));
      assert.ok(full.startsWith(root), "it stays in the repository");
      assert.ok(existsSync(full), `${target} is not there`);
      if (anchor !== undefined)
        assert.ok(anchorsIn(readFileSync(full, "utf8")).has(anchor), `#${anchor} is no heading`);
    });
  }

  test("a broken one would be found", () => {
    assert.deepEqual(linksIn("[a](b.md#c) ![d](e.png) [f](https://x.example) `[g](h)`\n```\n[i](j)\n```"), [
      "b.md#c",
      "e.png",
    ]);
    assert.deepEqual([...anchorsIn("# One two\n## `Three` & four!")], ["one-two", "three--four"]);
  });
});

describe("every file that a code block names exists", () => {
  const missing = (text: string) =>
    [...text.matchAll(/^```[\s\S]*?^```/gm)]
      .flatMap(([block]) => [...block.matchAll(/(?<![\w/])(?:packages|scripts|examples)\/[\w./-]+\.\w+/g)])
      .map(([path]) => path)
      .filter((path) => !existsSync(join(root, path)));

  test("in the README, the pages and CONTRIBUTING", () => {
    const pages = ["README.md", "CONTRIBUTING.md", ...globSync("docs/*.md", { cwd: root })];
    assert.deepEqual(
      pages.flatMap((page) => missing(read(page)).map((path) => `${page}: ${path}`)),
      [],
    );
  });

  test("a missing one would be found", () => {
    assert.deepEqual(missing("```sh\nnode scripts/test.mjs packages/nothing.test.ts\n```\n"), [
      "packages/nothing.test.ts",
    ]);
  });
});

// SI: k is a thousand, Ki is 1,024. KB is read as either.
describe("sizes say which kilo they mean", () => {
  const unclear = (text: string) => [...text.matchAll(/\d KB\b/g)].map(([size]) => size);
  const sources = globSync(
    "{README.md,docs/**/*.md,examples/**/*.md,bench/**/*.ts,packages/*/{README.md,src/**/*.{ts,tsx}}}",
    {
      cwd: root,
      exclude: (path) => /node_modules|dist/.test(path),
    },
  );

  test("kB or KiB, in documents and sources", () => {
    assert.deepEqual(
      sources.flatMap((path) => unclear(read(path)).map((size) => `${path}: ${size}`)),
      [],
    );
  });

  test("an ambiguous one would be found", () => {
    assert.deepEqual(unclear("of 64 KiB, 2 kB and 64 KB"), ["4 KB"]);
  });
});

describe("every page is short enough to read", () => {
  const linesMax: Readonly<Record<string, number>> = { "README.md": 120, "docs/guides/": 80, "docs/": 400 };
  const limitOf = (path: string) => Object.entries(linesMax).find(([prefix]) => path.startsWith(prefix))?.[1] ?? 0;
  for (const path of ["README.md", ...globSync("docs/{*,guides/*}.md", { cwd: root })])
    test(`${path} has at most ${limitOf(path)} lines`, () => {
      const lines = read(path).trimEnd().split("\n").length;
      assert.ok(lines <= limitOf(path), `${lines} lines: cut it, or move a part to a page of its own`);
    });
});

test("README links to a guide for each kind of reader, and a guide opens with commands", () => {
  const guides = globSync("docs/guides/*.md", { cwd: root });
  assert.equal(guides.length, 6);
  const linked = linksIn(read("README.md"));
  for (const path of guides) {
    assert.ok(linked.includes(path), `README does not link to ${path}`);
    const opening = read(path).split("\n## ")[0] ?? "";
    assert.match(opening, /^```sh\n[\s\S]*?^```$/m, `${path} opens without commands`);
  }
});

test("BENCHMARKS opens with figures that its two pages have, with goal and verdict", () => {
  const cellsOf = (line: string) => line.split("|").map((cell) => cell.trim());
  const measured = ["docs/BENCHMARKS-PARTS.md", "docs/BENCHMARKS-PEERS.md"].flatMap((path) =>
    read(path)
      .split("\n")
      .map((line) => cellsOf(line).slice(2, 5).join(" | ")),
  );
  const [, table = ""] = /\n\| What \|.*\n\|-.*\n((?:\|.*\n)+)/.exec(read("docs/BENCHMARKS.md")) ?? [];
  const rows = table.trimEnd().split("\n").map(cellsOf);
  assert.ok(rows.length >= 15 && rows.length <= 25, `${rows.length} rows`);
  for (const [, what, , goal, now, verdict] of rows)
    assert.ok(
      measured.includes(`${now} | ${goal} | ${verdict}`),
      `the pages no longer say this, bring the row up to date: ${what}: ${now}, ${goal}, ${verdict}`,
    );
});

test("the README shows the two commands", () => {
  const readme = read("README.md");
  for (const command of ["npm start", "npm test"]) assert.match(readme, new RegExp(`^${command}\\b`, "m"));
});

test("the changelog uses the headings of Keep a Changelog, and the server splits it into its releases", () => {
  const releases = readReleases(read("CHANGELOG.md"));
  assert.ok(releases.length >= 2);
  assert.equal(releases.at(-1)?.version, "0.1.0");
  const kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Known gaps"];
  for (const { version, text } of releases) {
    const headings = [...text.matchAll(/^### (.+)$/gm)].map((match) => match[1] ?? "");
    assert.ok(headings.length > 0, version);
    assert.deepEqual(headings, [...new Set(headings)], `${version} has a kind twice`);
    assert.deepEqual(
      headings.filter((heading) => !kinds.includes(heading)),
      [],
      version,
    );
  }
});

test("the changelog's entries are dated, the newest first", () => {
  const dates = [...read("CHANGELOG.md").matchAll(/^## .*?(\d{4}-\d\d-\d\d)/gm)].map((match) => match[1] ?? "");
  assert.ok(dates.length > 0, "there is a dated entry");
  assert.deepEqual(dates, dates.toSorted().reverse());
});

// Code is not a link; anything with a scheme is not ours to check.
function linksIn(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, "").replaceAll(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map((match) => match[1] ?? "")
    .filter((target) => !/^[a-z]+:/i.test(target));
}

// As forges generate them: lower case, spaces to hyphens, punctuation removed.
function anchorsIn(text: string): Set<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map((match) => match[1] ?? "");
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(/\s/g, "-"),
    ),
  );
}
