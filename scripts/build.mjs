// Emits dist (.js and .d.ts) for the packages that ship, with everything they need beside their code, so that a package
// is its dist folder and what its `files` name. Our own scripts never need it: they run the sources.
//   node scripts/build.mjs            everything
//   node scripts/build.mjs server     the server and what it is compiled against
// A package's `prepack` calls it. npm skips that where install scripts are off, as they are here, so pack with
//   npm run pack -- server
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { compile } from "./compile.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
// Packages without this file are still empty and private.
const order = ["contract", "engine", "sandbox", "sdk", "console", "server", "cli"].filter((name) =>
  existsSync(join(root, "packages", name, "tsconfig.build.json")),
);
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !order.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown package: ${unknown.join(", ")}. Packages: ${order.join(", ")}\n`);
  process.exit(2);
}

for (const name of asked.length === 0 ? order : order.filter((each) => closureOf(asked).has(each))) {
  const folder = join(root, "packages", name);
  empty(join(folder, "dist"));
  // Standard output belongs to the packing program.
  if (!compile(["-p", join(folder, "tsconfig.build.json")], { stdio: ["ignore", 2, 2] })) process.exit(1);
  if (name === "cli") fewFiles(folder);
  if (name === "console") await pages(folder);
  if (name === "server") {
    keepReachedTypes(folder);
    documents(folder);
  }
  for (const document of ["LICENSE", "NOTICE.md", "CHANGELOG.md"])
    copyFileSync(join(root, document), join(folder, "dist", document));
  process.stderr.write(`built ${name}\n`);
}

// Who imports the server can name only the types that its entries lead to. The declarations of everything else would be an eighth of
// the package.
function keepReachedTypes(folder) {
  const dist = join(folder, "dist");
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const reached = new Set();
  const waiting = Object.values(exports).map(({ types }) => join(folder, types));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const [, target] of readFileSync(path, "utf8").matchAll(/(?:from |import\(|import )"(\.[^"]+)\.[jt]s"/g))
      waiting.push(join(dirname(path), `${target}.d.ts`));
  }
  for (const entry of readdirSync(dist, { recursive: true, encoding: "utf8" }))
    if (entry.endsWith(".d.ts") && !reached.has(join(dist, entry))) rmSync(join(dist, entry));
}

// The server shows them at /docs/guides.
function documents(folder) {
  for (const within of ["", "guides"])
    for (const file of readdirSync(join(root, "docs", within)).filter((each) => each.endsWith(".md"))) {
      mkdirSync(join(folder, "dist/docs", within), { recursive: true });
      copyFileSync(join(root, "docs", within, file), join(folder, "dist/docs", within, file));
    }
}

// Keep the console's pages: servers of this checkout may be reading them, and we know whether they are current.
function empty(dist) {
  for (const name of existsSync(dist) ? readdirSync(dist) : [])
    if (name !== "app" && name !== "clients") rmSync(join(dist, name), { recursive: true, force: true });
}

// What the browser gets, and the clients that the server offers; without them the package would point to nothing. Built as a
// server builds them, so that the two wait for each other and never write at the same time.
async function pages(folder) {
  const { ensureConsole, ensureClients } = await import(pathToFileURL(join(folder, "dist/node/index.js")).href);
  await ensureConsole();
  await ensureClients();
}

// Node takes about half a millisecond to find, read and link a module, and a short command would load fifty. So we bundle the
// command, the SDK included; no other package imports its parts.
function fewFiles(folder) {
  const dist = join(folder, "dist");
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { outputFiles } = buildSync({
    entryPoints: [join(dist, "main.js")],
    outdir: dist,
    bundle: true,
    // A command still loads only what it uses.
    splitting: true,
    external: Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => name !== "@atelier/sdk"),
    platform: "node",
    format: "esm",
    target: "node22",
    logLevel: "warning",
    write: false,
  });
  rmSync(dist, { recursive: true });
  mkdirSync(dist);
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
}

// A package is compiled against the declarations of the packages it depends on.
function closureOf(names, found = new Set()) {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(root, "packages", name, "package.json"), "utf8"),
    );
    const own = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter((each) => each.startsWith("@atelier/"))
      .map((each) => each.slice("@atelier/".length));
    closureOf(
      own.filter((each) => order.includes(each)),
      found,
    );
  }
  return found;
}
