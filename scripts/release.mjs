// `npm run release`: everything a publisher pushes, from the last commit, into packed/release-<version>: the npm packages, the
// Python wheel and source archive, the container image as an OCI archive, the chart, the list of components, the notes from
// CHANGELOG, a statement of provenance and the checksums. Nothing is published.
//   npm run release                      build it
//   npm run release -- --verify          build it twice, in two places, and compare the bytes
//   npm run release -- --tag             build it, and tag the commit v<version> with the notes
//   npm run release -- --scope @acme     under another npm scope
//   npm run release -- --to /tmp/x --without-image
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildRelease, differencesOf } from "./release/build.mjs";
import { notesOf, versionOf, writtenVersions } from "./release/versions.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({
  options: {
    to: { type: "string" },
    scope: { type: "string" },
    verify: { type: "boolean" },
    tag: { type: "boolean" },
    "without-image": { type: "boolean" },
  },
});
const git = (...words) => execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();
const version = versionOf(root);
const target = resolve(values.to ?? join(root, "packed", `release-${version}`));

const refusal = refusalOf();
if (refusal !== null) {
  process.stderr.write(`${refusal}\n`);
  process.exit(1);
}
// Pinned, because there may be another commit while it is built.
const commit = git("rev-parse", "HEAD");
const options = {
  root,
  commit,
  ...(values.scope === undefined ? {} : { scope: values.scope }),
  withImage: values["without-image"] !== true,
};
rmSync(target, { recursive: true, force: true });
const made = buildRelease({ ...options, target });
for (const { name, sha256 } of made.files) process.stdout.write(`${sha256}  ${name}\n`);
process.stdout.write(`${target}\n`);
if (!made.hasNotes)
  process.stderr.write(`CHANGELOG.md has no part "## ${version} — <day>" yet, so the notes are empty.\n`);
if (values.verify) verify();
if (values.tag) {
  git(
    "tag",
    "--annotate",
    `v${version}`,
    "--cleanup=verbatim",
    "--message",
    `Atelier ${version}\n\n${notesOf(root, version)}`,
    commit,
  );
  process.stdout.write(`tagged ${commit.slice(0, 12)} as v${version}; push it with: git push origin v${version}\n`);
}

// Before anything is built. Null if nothing speaks against it.
function refusalOf() {
  if (git("status", "--porcelain") !== "")
    return "The checkout has changes that are not committed. A release is built from a commit: commit or stash them.";
  const others = writtenVersions(root).filter((each) => each.version !== version);
  if (others.length > 0)
    return `${others.map((each) => each.path).join(", ")} do not say ${version}: npm run release:version -- ${version}`;
  // It is replaced, so it must be nothing else.
  if (existsSync(target) && !existsSync(join(target, "SHA256SUMS")))
    return `${target} exists and is not a release. Name another folder, or remove it.`;
  if (!values.tag) return null;
  if (git("tag", "--list", `v${version}`) !== "")
    return `There is a tag v${version} already: npm run release:version -- <the next version>`;
  if (notesOf(root, version) === null) return `CHANGELOG.md has no part "## ${version} — <day>".`;
  return null;
}

function verify() {
  const folder = mkdtempSync(join(tmpdir(), "atelier-release-again-"));
  try {
    const again = buildRelease({ ...options, target: join(folder, "release") });
    const differences = differencesOf(made.files, again.files);
    for (const each of differences) process.stderr.write(`${each}\n`);
    if (differences.length > 0) process.exit(1);
    process.stdout.write(`built twice, ${made.files.length} files, the same bytes\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
