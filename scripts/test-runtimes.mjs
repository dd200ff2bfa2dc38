// `npm run test:long -- runtimes`: the SDK's tarball against a real server, on every runtime it is made for: this Node, the host's own,
// Deno and Bun. The last two are installed from npm into a temporary folder; one that is not available is left out, with a
// message. Exits 1 if a runtime saw something unexpected, never because one is missing.
//   npm run test:long -- runtimes             all of them
//   npm run test:long -- runtimes deno     some of them
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { startServerProcess } from "../packages/server/test/support/server-process.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const sources = join(root, "packages/sdk/test/runtimes");
const expected = JSON.parse(readFileSync(join(sources, "expected.json"), "utf8"));
const wanted = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), "atelier-runtimes-"));
const say = (text) => process.stdout.write(`${text}\n`);
const hostPath = (process.env["PATH"] ?? "").split(delimiter).filter((part) => !part.includes("node_modules"));

// As npm would install it: the packed files, and jsonata, which an application that evaluates badges installs itself.
function installSdk() {
  execFileSync(process.execPath, [join(root, "scripts/build.mjs"), "sdk"], { stdio: "pipe", timeout: 120_000 });
  const folder = join(scratch, "application");
  const modules = join(folder, "node_modules/@atelier/sdk");
  mkdirSync(modules, { recursive: true });
  const words = ["pack", "--ignore-scripts", "--pack-destination", scratch];
  execFileSync("npm", words, { cwd: join(root, "packages/sdk"), stdio: "pipe", timeout: 60_000 });
  const [tarball] = globSync("atelier-sdk-*.tgz", { cwd: scratch });
  execFileSync("tar", ["-xzf", join(scratch, tarball), "-C", modules, "--strip-components=1"]);
  cpSync(join(root, "node_modules/jsonata"), join(folder, "node_modules/jsonata"), { recursive: true });
  copyFileSync(join(sources, "everything.mjs"), join(folder, "everything.mjs"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  return folder;
}

// Null if the package is not available; the platform's own package contains the program.
function installed(name, pattern) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), "{}\n");
  const words = ["install", name, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", words, { cwd: folder, stdio: "pipe", timeout: 240_000 });
  const [program] = status === 0 ? globSync(`node_modules/${pattern}`, { cwd: folder }) : [];
  return program === undefined ? null : join(folder, program);
}

const runtimes = {
  node: () => [process.execPath],
  "the host's node": () => {
    const program = hostPath.map((part) => join(part, "node")).find((path) => existsSync(path));
    return program === undefined ? null : [program];
  },
  // With only the permissions it needs: the server's address, and the environment.
  deno: () => {
    const program = installed("deno", "@deno/*/deno{,.exe}");
    return program && [program, "run", "--no-prompt", "--no-remote", "--allow-net=127.0.0.1", "--allow-env"];
  },
  bun: () => {
    const program = installed("bun", "@oven/bun-*/bin/bun{,.exe}");
    return program && [program, "run"];
  },
};

async function startServer() {
  const home = join(scratch, "home");
  const server = await startServerProcess({
    home,
    isAsShipped: true,
    isFirstStart: true,
    env: { ATELIER_SANDBOX: "on" },
  });
  const key = /^API key: +(\S+)$/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))[1];
  return { env: { ATELIER_URL: server.baseUrl, ATELIER_API_KEY: key }, close: () => server.kill("SIGTERM") };
}

function tryOn([program, ...words], folder, env) {
  const { PATH, HOME } = process.env;
  const ran = spawnSync(program, [...words, "everything.mjs"], {
    cwd: folder,
    env: { PATH, HOME, ...env },
    encoding: "utf8",
    timeout: 60_000,
  });
  const line = ran.stdout.trim().split("\n").at(-1) ?? "";
  if (ran.status !== 0) return `ended with ${ran.status ?? ran.signal}\n${ran.stderr}`;
  const seen = JSON.parse(line);
  return isDeepStrictEqual(seen, expected) ? null : `saw ${line}\ninstead of ${JSON.stringify(expected)}`;
}

const versionOf = ([program]) =>
  spawnSync(program, ["--version"], { encoding: "utf8", timeout: 20_000 }).stdout.split("\n")[0].trim();

let failures = 0;
let server;
try {
  const folder = installSdk();
  server = await startServer();
  for (const [name, find] of Object.entries(runtimes)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const words = find();
    if (words === null) {
      say(`–  ${name}: not available here, skipped`);
      continue;
    }
    const problem = tryOn(words, folder, server.env);
    if (problem !== null) failures++;
    say(`${problem === null ? "✓" : "✕"}  ${name} (${versionOf(words)})${problem === null ? "" : `: ${problem}`}`);
  }
} finally {
  await server?.close();
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
