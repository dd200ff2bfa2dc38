// `npm run test:long -- release`: a release installs without a clone. The packages go into a registry on loopback (verdaccio, which
// npm installs into a temporary folder), and `npx @atelier/cli serve` starts from there in an empty home; the wheel goes into an
// empty environment and calls that server. Only our scope is asked of that registry; the packages of others come from where npm
// and pip get theirs.
//   npm run test:long -- release                    builds the release first (without the image)
//   npm run test:long -- release --from folder      one that is built already
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { freePort } from "../packages/server/test/support/free-port.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({ options: { from: { type: "string" } } });
const scratch = mkdtempSync(join(tmpdir(), "atelier-release-proof-"));
const home = join(scratch, "home");
const children = [];
const say = (text) => process.stdout.write(`${text}\n`);

// An empty home, our own Node first, and what npm and pip need to reach their usual sources.
const passed = /^(PATH|TMPDIR|LANG|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|PIP_\w+|npm_config_registry|\w*_proxy)$/i;
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.test(name))),
  PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
  HOME: home,
};
const run = (program, words, cwd = home) =>
  execFileSync(program, words, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", 2], timeout: 1_200_000 });

function builtRelease() {
  if (values.from !== undefined) return resolve(values.from);
  const folder = join(scratch, "release");
  const words = [join(root, "scripts/release.mjs"), "--without-image", "--to", folder];
  execFileSync(process.execPath, words, { stdio: ["ignore", 2, 2] });
  return folder;
}

// Every file has its checksum. Returns the scope and the version.
function checkSums(release) {
  run("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], release);
  const statement = JSON.parse(readFileSync(join(release, "provenance.intoto.json"), "utf8"));
  const lines = readFileSync(join(release, "SHA256SUMS"), "utf8").trim().split("\n");
  if (statement.subject.length !== lines.length - 1) throw new Error("The statement of provenance names other files.");
  say(`✓ ${lines.length} files have their checksums, and the statement of provenance names them`);
  return statement.predicate.buildDefinition.externalParameters;
}

async function startRegistry(release, { scope }) {
  const folder = join(scratch, "registry");
  mkdirSync(folder);
  // Mirrors do not keep the tag that one of its packages asks for, "cjs"; this is the version behind it.
  writeFileSync(join(folder, "package.json"), '{"overrides":{"node-fetch":"2.7.0"}}\n');
  run("npm", ["install", "verdaccio", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], folder);
  const port = await freePort();
  const config = {
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd") } },
    // No uplinks: it knows what is published to it, and asks no other registry.
    packages: { "@*/*": { access: "$all", publish: "$all" }, "**": { access: "$all", publish: "$all" } },
    web: { enable: false },
    log: { type: "stdout", level: "warn" },
  };
  // JSON is YAML.
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config));
  const words = [join(folder, "node_modules/verdaccio/bin/verdaccio"), "--config", join(folder, "config.yaml")];
  start([...words, "--listen", `127.0.0.1:${port}`], folder);
  const address = `http://127.0.0.1:${port}/`;
  await until("the registry", () => fetch(`${address}-/ping`).then((answer) => answer.ok));
  const npmrc = `${scope}:registry=${address}\n//127.0.0.1:${port}/:_authToken=anyone\n`;
  writeFileSync(join(home, ".npmrc"), npmrc);
  const packages = globSync("npm/*.tgz", { cwd: release }).sort();
  for (const file of packages) run("npm", ["publish", join(release, file), "--registry", address, "--loglevel=error"]);
  say(`✓ ${packages.length} packages are in a registry on loopback`);
}

async function serveFromNpx({ scope, version }) {
  const data = join(scratch, "data");
  const child = start(["npx"], home, ["-y", `${scope}/cli@${version}`, "serve", "--port", "0", "--home", data]);
  const url = await until("the server", () => /^ready (\S+)/m.exec(child.said)?.[1], child);
  const key = /^API key: +(\S+)$/m.exec(readFileSync(join(data, "first-key.txt"), "utf8"))?.[1] ?? "";
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ prompt: "a haiku about light" });
  const answer = await fetch(`${url}/v1/models/sandbox/text-1`, { method: "POST", headers, body });
  const { text } = await answer.json();
  const page = await fetch(url, { headers: { accept: "text/html" } });
  if (answer.status !== 200 || !text || !(await page.text()).includes("/console/files/"))
    throw new Error(`The server answered ${answer.status}.`);
  say(`✓ npx ${scope}/cli@${version} serve: a model answers, and the console is there`);
  return { url, key, child };
}

function usesTheWheel(release, { url, key }) {
  const [wheel] = globSync("python/*.whl", { cwd: release });
  const venv = join(scratch, "venv");
  run("python3", ["-m", "venv", venv]);
  const python = join(venv, "bin/python");
  run(python, ["-m", "pip", "install", "--quiet", join(release, wheel)]);
  const code = [
    "from atelier_sdk import Atelier",
    'graph = {"1": {"class_type": "EmptyImage", "inputs": {"width": 16, "height": 16, "batch_size": 1, "color": 1}},',
    '         "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "wheel"}}}',
    "with Atelier() as atelier:",
    '    print(atelier.jobs.save(atelier.jobs.run(graph)["outputs"][0], "wheel.png"))',
  ].join("\n");
  const more = { ATELIER_URL: url, ATELIER_API_KEY: key };
  const said = execFileSync(python, ["-c", code], { cwd: home, env: { ...env, ...more }, encoding: "utf8" });
  if (!(Number(said) > 50)) throw new Error(`The wheel's client said ${said}`);
  say(`✓ ${wheel} installs into an empty environment and runs a job`);
}

function start(words, cwd, more) {
  const [program, args] = more === undefined ? [process.execPath, words] : [words[0], more];
  // In a group of its own: npx starts the server as its child.
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  child.said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece) => {
      child.said += piece.toString();
    });
  children.push(child);
  return child;
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "close");
  process.kill(-child.pid, "SIGTERM");
  const giveUp = setTimeout(() => process.kill(-child.pid, "SIGKILL"), 60_000);
  await ended;
  clearTimeout(giveUp);
}

async function until(what, ask, child) {
  for (const end = Date.now() + 1_200_000; Date.now() < end; ) {
    const found = await Promise.resolve()
      .then(ask)
      .catch(() => undefined);
    if (found) return found;
    if (child !== undefined && child.exitCode !== null) break;
    await new Promise((go) => setTimeout(go, 200));
  }
  throw new Error(`${what} did not become ready.\n${(child?.said ?? "").slice(-3000)}`);
}

try {
  mkdirSync(home);
  const release = builtRelease();
  const made = checkSums(release);
  await startRegistry(release, made);
  const server = await serveFromNpx(made);
  usesTheWheel(release, server);
  await stop(server.child);
  say("✓ it ends when it is told to");
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  for (const child of children) await stop(child);
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}
