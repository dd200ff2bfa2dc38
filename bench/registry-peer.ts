// Verdaccio next to our registry: a package's document from its own store, no uplink. It is installed from npm when the bench
// first runs, into a folder that git ignores; if it is not available it is left out, with a line that says so.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, type Started } from "./processes.ts";
import { freePort, startOnPort } from "./router-peers.ts";

export async function startVerdaccio(home: string): Promise<{ server: Started; path: string } | null> {
  const folder = join(root, "node_modules/.cache/atelier-bench-registry-peer");
  const program = join(folder, "node_modules/verdaccio/bin/verdaccio");
  const [wanted, have] = [join(root, "bench/peers/registry/package.json"), join(folder, "package.json")];
  if (!existsSync(program) || !existsSync(have) || !readFileSync(have).equals(readFileSync(wanted))) {
    process.stderr.write("fetching verdaccio …\n");
    mkdirSync(folder, { recursive: true });
    copyFileSync(wanted, have);
    const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
    const got = spawnSync("npm", words, { cwd: folder, encoding: "utf8", timeout: 180_000 });
    if (!existsSync(program)) {
      process.stderr.write(`skipped verdaccio: npm could not install it: ${got.stderr.slice(-300)}\n`);
      return null;
    }
  }
  const installFolder = join(home, "verdaccio");
  mkdirSync(join(installFolder, "storage/bench-pack"), { recursive: true });
  writeFileSync(join(installFolder, "storage/bench-pack/package.json"), JSON.stringify(aPackage()));
  const rules = ["packages:", "  '**':", "    access: $all", "log: { type: stdout, format: json, level: fatal }"];
  writeFileSync(
    join(installFolder, "config.yaml"),
    [`storage: ${join(installFolder, "storage")}`, "uplinks: {}", ...rules, ""].join("\n"),
  );
  const port = await freePort();
  try {
    const words = ["--config", join(installFolder, "config.yaml"), "--listen", `127.0.0.1:${port}`];
    return { server: await startOnPort([process.execPath, program, ...words], port), path: "/bench-pack" };
  } catch (thrown) {
    process.stderr.write(`skipped verdaccio: it did not start: ${String(thrown)}\n`);
    return null;
  }
}

// As much as one of our nodes with its latest version contains.
function aPackage() {
  const version = { name: "bench-pack", version: "1.10.0", description: "A package to read.", license: "MIT" };
  const dist = { shasum: "0".repeat(40), tarball: "http://127.0.0.1/bench-pack/-/bench-pack-1.10.0.tgz" };
  return {
    name: "bench-pack",
    versions: { "1.10.0": { ...version, dist } },
    "dist-tags": { latest: "1.10.0" },
    time: { "1.10.0": "2026-01-01T00:00:00.000Z" },
    _distfiles: {},
    _attachments: {},
    _uplinks: {},
    _rev: "1-0",
    readme: "",
  };
}
