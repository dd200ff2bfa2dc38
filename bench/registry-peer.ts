// Verdaccio next to our registry: a package's document from its own store, no uplink. It is installed from npm when the bench
// first runs, into a folder that git ignores; if it is not available it is left out, with a line that says so.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Started } from "./processes.ts";
import { freePort, installedPeer, leftOut, startOnPort } from "./router-peers.ts";

export async function startVerdaccio(home: string): Promise<{ server: Started; path: string } | null> {
  const program = installedPeer("verdaccio", {
    folder: "atelier-bench-registry-peer",
    manifest: "bench/peers/registry/package.json",
    program: "verdaccio/bin/verdaccio",
  });
  if (program === null) return null;
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
    return leftOut("verdaccio", `it did not start: ${String(thrown)}`);
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
