// A release has one version and one npm scope, wherever they are written, and two builds of it are compared file by file.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { differencesOf, digestsOf } from "../../../../scripts/release/build.mjs";
import {
  notesOf,
  npmScope,
  setVersion,
  versionLocations,
  versionOf,
  writtenVersions,
} from "../../../../scripts/release/versions.mjs";

const root = join(import.meta.dirname, "../../../..");

test("every place that names the version names that of the root's package.json", () => {
  const version = versionOf(root);
  const written = writtenVersions(root);
  assert.deepEqual(
    written.filter((each) => each.version !== version),
    [],
  );
  const locations = versionLocations(root).map(({ path }) => path);
  assert.deepEqual([...new Set(written.map(({ path }) => path))].sort(), locations.toSorted(), "each place has one");
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const ours = Object.values<{ name?: string }>(lock.packages).filter(({ name }) => name?.startsWith(`${npmScope}/`));
  assert.ok(ours.length >= 7);
});

test("release:version writes all of them, and the Unreleased part of CHANGELOG gets its heading", () => {
  const copy = mkdtempSync(join(tmpdir(), "atelier-version-"));
  try {
    for (const path of [...versionLocations(root).map((each) => each.path), "CHANGELOG.md"]) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      cpSync(join(root, path), join(copy, path));
    }
    const before = readFileSync(join(root, "package-lock.json"), "utf8");
    setVersion(copy, "97.1.0-rc.1", "2031-02-03");
    assert.deepEqual([...new Set(writtenVersions(copy).map(({ version }) => version))], ["97.1.0-rc.1"]);
    const changed = readFileSync(join(copy, "package-lock.json"), "utf8").split("\n");
    const others = before.split("\n").filter((line, at) => line !== changed[at] && !line.includes(versionOf(root)));
    assert.deepEqual(others, [], "nothing else in the lock file");
    assert.match(
      readFileSync(join(copy, "CHANGELOG.md"), "utf8"),
      /\n## Unreleased\n\n## 97\.1\.0-rc\.1 — 2031-02-03\n/,
    );
    assert.match(notesOf(copy, "97.1.0-rc.1") ?? "", /^(### |\n$)/);
    assert.throws(() => setVersion(copy, "next", "2031-02-03"), /not a version/);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

test("a release's notes are its own part of CHANGELOG; a version without one has none", () => {
  const notes = notesOf(root, "0.1.0") ?? "";
  assert.match(notes, /^The first release: [\s\S]*\n### Added\n/);
  assert.doesNotMatch(notes, /^## /m);
  assert.equal(notesOf(root, "99.0.0"), null);
});

test("a file with other bytes, and one that is missing, are found", () => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-digests-"));
  try {
    mkdirSync(join(folder, "npm"));
    writeFileSync(join(folder, "npm/a.tgz"), "a");
    writeFileSync(join(folder, "b"), "b");
    const one = digestsOf(folder);
    assert.deepEqual(
      one.map(({ name }) => name),
      ["b", "npm/a.tgz"],
    );
    assert.deepEqual(differencesOf(one, digestsOf(folder)), []);
    writeFileSync(join(folder, "b"), "c");
    rmSync(join(folder, "npm"), { recursive: true });
    assert.deepEqual(differencesOf(one, digestsOf(folder)), [
      "b has other bytes",
      "npm/a.tgz is in one of the two only",
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
