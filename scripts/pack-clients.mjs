// The clients that a server offers for download (GET /packages/{name}): the SDK, the command line as one program that needs
// nothing else from npm, and the Python client as a wheel. The first two install offline from the server alone. Its caller ensures that only one builds at a time
// (packages/console/node/ensure-built.ts).
//   node scripts/pack-clients.mjs <stamp> <folder>
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { compile } from "./compile.mjs";
import { tarOf } from "./image/tar.mjs";
import { pythonPackageOf } from "./python-package.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const [stamp = "", target] = process.argv.slice(2);
if (target === undefined) {
  process.stderr.write("Usage: node scripts/pack-clients.mjs <stamp> <folder>\n");
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), "atelier-clients-"));
try {
  const licence = readFileSync(join(root, "LICENSE"));
  const notice = readFileSync(join(root, "NOTICE.md"));
  const documents = { "dist/LICENSE": licence, "dist/NOTICE.md": notice };
  const { wheel } = pythonPackageOf(root);
  const made = {
    "sdk.tar.gz": packed({ "package.json": manifestOf("sdk"), ...sdkFiles(), ...documents }),
    "cli.tar.gz": packed({ "package.json": manifestOf("cli"), ...cliFiles(), ...documents }),
    [wheel.file]: wheel.bytes,
    stamp,
  };
  const whole = `${target}.${process.pid}`;
  mkdirSync(whole, { recursive: true });
  for (const [name, bytes] of Object.entries(made)) writeFileSync(join(whole, name), bytes);
  rmSync(target, { recursive: true, force: true });
  renameSync(whole, target);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

// The published manifest, without what only this checkout can resolve. The command line contains its dependencies.
function manifestOf(name) {
  const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
  for (const member of ["scripts", "devDependencies", "dependencies", "optionalDependencies"]) delete manifest[member];
  for (const way of Object.values(manifest.exports)) if (typeof way === "object") delete way["atelier-source"];
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
}

function sdkFiles() {
  const out = join(scratch, "sdk");
  const args = ["-p", join(root, "packages/sdk/tsconfig.build.json"), "--outDir", out];
  if (!compile(args, { stdio: ["ignore", 2, 2] })) throw new Error("The SDK does not compile.");
  const names = readdirSync(out, { recursive: true, encoding: "utf8" }).filter((name) => /\.(js|d\.ts)$/.test(name));
  return Object.fromEntries(names.toSorted().map((name) => [`dist/${name}`, readFileSync(join(out, name))]));
}

function cliFiles() {
  const { outputFiles } = buildSync({
    entryPoints: [join(root, "packages/cli/src/main.ts")],
    outdir: join(scratch, "cli"),
    bundle: true,
    splitting: true,
    // Without the server, a command of the server itself says what is missing.
    external: ["@atelier/server"],
    conditions: ["atelier-source"],
    // CommonJS libraries load Node's own modules with require.
    banner: {
      js: 'import { createRequire as atelierRequire } from "node:module"; const require = atelierRequire(import.meta.url);',
    },
    platform: "node",
    format: "esm",
    target: "node22",
    logLevel: "warning",
    write: false,
  });
  const files = outputFiles.map(({ path, contents }) => [
    `dist/${path.slice(join(scratch, "cli").length + 1)}`,
    Buffer.from(contents),
  ]);
  const command = readFileSync(join(root, "packages/cli/bin/atelier.mjs"));
  return { "bin/atelier.mjs": command, ...Object.fromEntries(files.toSorted()) };
}

// As npm writes them: everything below `package/`, with one timestamp, so that the same sources give the same bytes.
function packed(files) {
  const entries = Object.entries(files).map(([name, body]) => {
    const mode = name.startsWith("bin/") ? 0o755 : 0o644;
    return { path: `package/${name}`, type: "file", mode, uid: 0, gid: 0, body };
  });
  // npm accepts any time, but some readers refuse times before 1980.
  return gzipSync(Buffer.concat([...tarOf(entries, 499_162_500)]), { level: 9 });
}
