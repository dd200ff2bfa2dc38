// `npm run pack -- sdk`: builds packages and packs them into ./packed, so that they can be installed elsewhere from this
// checkout. Plain `npm pack` would not build: install scripts are off here, and `prepack` counts as one; `.npmrc` makes it fail.
// A package without a file that its own package.json points to is refused.
//   npm run pack                       every package that ships
//   npm run pack -- sdk --to /tmp/x    one, into another folder
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { to: { type: "string" }, json: { type: "boolean" }, "as-built": { type: "boolean" } },
});
const shipped = readdirSync(join(root, "packages")).filter((name) =>
  existsSync(join(root, "packages", name, "tsconfig.build.json")),
);
const names = positionals.length === 0 ? shipped : positionals;
const target = resolve(values.to ?? join(root, "packed"));

if (!values["as-built"]) run(process.execPath, [join(root, "scripts/build.mjs"), ...positionals], { cwd: root });
mkdirSync(target, { recursive: true });
const reports = names.map(pack);
if (values.json) process.stdout.write(`${JSON.stringify(reports)}\n`);
else for (const { file } of reports) process.stdout.write(`${file}\n`);

function pack(name) {
  const folder = join(root, "packages", name);
  const { stdout } = run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", target], { cwd: folder });
  const [report] = JSON.parse(stdout);
  const files = report.files.map(({ path }) => path);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const named = JSON.stringify([manifest.exports, manifest.bin]).match(/(?:\.\/)?(?:dist|bin)\/[\w./-]+/g) ?? [];
  const missing = named.map((path) => path.replace("./", "")).filter((path) => !files.includes(path));
  if (missing.length > 0) refuse(`@atelier/${name} was packed without ${missing.join(", ")}: npm run build first.`);
  return { name, file: join(target, report.filename.replace("@", "").replace("/", "-")), files };
}

function run(program, words, { cwd }) {
  const isWindows = process.platform === "win32" && program === "npm";
  const done = spawnSync(program, words, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    shell: isWindows,
  });
  if (done.status !== 0) refuse(`${done.stderr || done.error?.message || ""}`.trim());
  return done;
}

function refuse(words) {
  process.stderr.write(`${words}\n`);
  process.exit(1);
}
