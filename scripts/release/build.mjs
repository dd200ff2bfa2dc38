// Builds everything a publisher pushes, in a clone of one commit that has the checkout's node_modules, so that nothing that is not
// committed can get in. The same commit with the same node_modules gives the same bytes, wherever the clone is.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { entriesOf } from "../image/oci.mjs";
import { tarOf } from "../image/tar.mjs";
import { provenanceOf } from "./provenance.mjs";
import { notesOf, npmScope, versionOf } from "./versions.mjs";

const say = (text) => process.stderr.write(`${text}\n`);

// Writes the release below `target`, which must not exist, and returns { version, files, hasNotes }.
export function buildRelease({ root, commit, target, scope = npmScope, withImage = true }) {
  const seconds = Number(git(root, "log", "-1", "--format=%ct", commit));
  const scratch = mkdtempSync(join(tmpdir(), "atelier-release-"));
  try {
    const tree = join(scratch, "tree");
    cloneTo(root, commit, tree);
    if (scope !== npmScope) rename(tree, scope);
    const version = versionOf(tree);
    const out = join(scratch, "out");
    mkdirSync(out);
    const node = (script, ...words) => run(process.execPath, [join(tree, "scripts", script), ...words], tree, seconds);
    say("── packages");
    node("build.mjs");
    node("pack.mjs", "--as-built", "--to", join(out, "npm"));
    say("── Python");
    node("python-package.mjs", "--to", join(out, "python"));
    say("── chart, list of components, notes");
    mkdirSync(join(out, "chart"));
    writeFileSync(join(out, "chart", `atelier-${version}.tgz`), chartOf(tree, seconds));
    node("sbom.mjs", "--to", join(out, `atelier-${version}.cdx.json`));
    const notes = notesOf(tree, version);
    writeFileSync(join(out, "RELEASE-NOTES.md"), `# Atelier ${version}\n\n${notes ?? ""}`);
    if (withImage) {
      say("── image");
      const image = join(out, `image/atelier-${version}-${process.arch}.oci.tar`);
      node("build-image.mjs", "--as-built", "--to", image, "--name", `atelier:${version}`);
    }
    const facts = {
      version,
      scope,
      commit,
      seconds,
      subjects: digestsOf(out),
      lock: digestOf(join(tree, "package-lock.json")),
    };
    writeFileSync(join(out, "provenance.intoto.json"), `${JSON.stringify(provenanceOf(facts), null, 1)}\n`);
    const files = digestsOf(out);
    writeFileSync(join(out, "SHA256SUMS"), files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(""));
    cpSync(out, target, { recursive: true });
    return { version, files, hasNotes: notes !== null };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

// What differs between two releases, one sentence each.
export function differencesOf(one, other) {
  const by = new Map(other.map(({ name, sha256 }) => [name, sha256]));
  const names = new Set([...one.map(({ name }) => name), ...by.keys()]);
  return [...names].sort().flatMap((name) => {
    const first = one.find((each) => each.name === name)?.sha256;
    if (first === by.get(name)) return [];
    return [first === undefined || !by.has(name) ? `${name} is in one of the two only` : `${name} has other bytes`];
  });
}

// Every file below the folder with its hash, sorted by name.
export function digestsOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ name: path.slice(folder.length + 1).replaceAll("\\", "/"), sha256: digestOf(path) }));
}

const digestOf = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");

function cloneTo(root, commit, tree) {
  execFileSync("git", ["clone", "--quiet", "--local", "--no-checkout", root, tree], { stdio: ["ignore", 2, 2] });
  execFileSync("git", ["checkout", "--quiet", "--detach", commit], { cwd: tree, stdio: ["ignore", 2, 2] });
  const modules = join(root, "node_modules");
  if (!existsSync(modules)) throw new Error("The checkout has no node_modules: npm ci");
  // Hard links where the file system allows them. Caches of other builds stay out.
  const linked = spawnSync("cp", ["-al", modules, join(tree, "node_modules")], { stdio: "ignore" }).status === 0;
  if (!linked) {
    rmSync(join(tree, "node_modules"), { recursive: true, force: true });
    cpSync(modules, join(tree, "node_modules"), { recursive: true, verbatimSymlinks: true });
  }
  rmSync(join(tree, "node_modules/.cache"), { recursive: true, force: true });
}

// Another scope: every tracked text says it instead of ours, and so does the folder of the workspace links.
function rename(tree, scope) {
  if (!/^@[a-z0-9][a-z0-9-]*$/.test(scope)) throw new Error(`"${scope}" is not a scope such as @acme.`);
  const files = git(tree, "grep", "-lI", "-e", `${npmScope}/`);
  for (const file of files.split("\n").filter((each) => each !== "")) {
    const path = join(tree, file);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(`${npmScope}/`, `${scope}/`));
  }
  renameSync(join(tree, "node_modules", npmScope), join(tree, "node_modules", scope));
}

// As `helm package` makes it: the chart's folder in a compressed tar.
function chartOf(tree, seconds) {
  const entries = entriesOf(join(tree, "deploy/helm/atelier"));
  const files = entries
    .filter(({ type }) => type === "file")
    .map((each) => ({ ...each, path: `atelier/${each.path}` }));
  return gzipSync(Buffer.concat([...tarOf(files, seconds)]), { level: 9 });
}

function git(folder, ...words) {
  return execFileSync("git", words, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 26 }).trim();
}

// Without the settings of the person who releases.
function run(program, words, folder, seconds) {
  const kept = ["PATH", "HOME", "TMPDIR", "LANG", "SystemRoot"].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  const env = { ...Object.fromEntries(kept), TZ: "UTC", SOURCE_DATE_EPOCH: String(seconds) };
  const { status } = spawnSync(program, words, { cwd: folder, env, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`${words[0]} failed.`);
}
