// `npm run image`: the container image without a registry and without a daemon: our Node, the libraries it is linked to, the
// packed packages with what they need, a user, and nothing else; no shell. Written as an OCI archive; the same checkout on the
// same machine gives the same bytes.
//   npm run image                                 packed/atelier-image.tar
//   npm run image -- --to /tmp/a.tar --as-built   elsewhere, from packages that are built already
//   npm run image -- --root-only /tmp/root        only the root file system, as a folder
//   npm run image -- --application-only /out      only /opt/atelier; what deploy/Containerfile copies
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { assembleApplication } from "./image/application.mjs";
import { entriesOf, writeImage } from "./image/oci.mjs";
import { user, writeRootFiles } from "./image/root-files.mjs";
import { bomOf } from "./sbom.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({
  options: {
    to: { type: "string" },
    name: { type: "string" },
    "as-built": { type: "boolean" },
    "with-database": { type: "boolean" },
    "root-only": { type: "string" },
    "application-only": { type: "string" },
  },
});
const { version } = JSON.parse(readFileSync(join(root, "packages/server/package.json"), "utf8"));
// The same as in deploy/Containerfile; a test compares them.
const labels = {
  "org.opencontainers.image.title": "Atelier",
  "org.opencontainers.image.description": "The generation platform that anyone can own",
  "org.opencontainers.image.licenses": "Apache-2.0",
  "org.opencontainers.image.version": version,
};
const config = {
  User: `${user.id}:${user.id}`,
  WorkingDir: "/etc/atelier",
  Entrypoint: ["/opt/atelier/bin/node", "/opt/atelier/node_modules/@atelier/cli/bin/atelier.mjs"],
  Cmd: ["serve"],
  Env: ["ATELIER_HOME=/var/lib/atelier", "ATELIER_HOST=0.0.0.0", "ATELIER_METRICS_PORT=9100"],
  ExposedPorts: { "8080/tcp": {}, "8081/tcp": {}, "9100/tcp": {} },
  Volumes: { "/var/lib/atelier": {} },
  StopSignal: "SIGTERM",
  Labels: labels,
};
const how = { asBuilt: values["as-built"] === true, withDatabase: values["with-database"] === true };

if (values["application-only"] !== undefined) application(resolve(values["application-only"]));
else if (values["root-only"] !== undefined) rootFolder(resolve(values["root-only"]));
else await image(resolve(values.to ?? join(root, "packed/atelier-image.tar")));

function application(folder) {
  mkdirSync(folder, { recursive: true });
  const others = assembleApplication(root, folder, how);
  writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(bomOf(root, others), null, 1)}\n`);
  process.stderr.write(`${others.length} packages of others\n`);
}

function rootFolder(folder) {
  const inside = join(folder, "opt/atelier");
  application(inside);
  const libraries = writeRootFiles(folder, inside);
  process.stderr.write(`${libraries.length} libraries: ${libraries.join(" ")}\n`);
}

async function image(file) {
  const scratch = mkdtempSync(join(tmpdir(), "atelier-image-"));
  try {
    rootFolder(scratch);
    mkdirSync(dirname(file), { recursive: true });
    const written = await writeImage(file, {
      entries: entriesOf(scratch, ownerOf),
      seconds: commitSeconds(),
      architecture: process.arch === "arm64" ? "arm64" : "amd64",
      name: values.name ?? `atelier:${version}`,
      config,
      annotations: labels,
    });
    process.stdout.write(`${file}\n${written.digest}\n`);
    process.stderr.write(`layer ${mebibytes(written.layerBytes)}, archive ${mebibytes(written.bytes)}\n`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function mebibytes(bytes) {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

function ownerOf(path) {
  if (path === "tmp") return { mode: 0o1777 };
  return path === "var/lib/atelier" ? { uid: user.id, gid: user.id, mode: 0o700 } : {};
}

// The timestamp of everything in the image: the commit's, or SOURCE_DATE_EPOCH.
function commitSeconds() {
  const given = Number(process.env["SOURCE_DATE_EPOCH"] ?? "");
  if (given > 0) return given;
  try {
    return Number(execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" }));
  } catch {
    return 0;
  }
}
