// What a child process is started with so that a level holds. own-code.ts starts it; nothing here starts anything.
import { chmodSync, chownSync, existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { basename, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { IsolationLevel } from "./levels.ts";
import { seccompProgram } from "./seccomp.ts";

export interface Confinement {
  readonly level: IsolationLevel;
  readonly nodeFlags: readonly string[];
  // The child's working directory; all paths it is given are within.
  readonly folder?: string;
  readonly user?: { readonly uid: number; readonly gid: number };
  // A program that starts Node: its words before Node's own, and what it reads from descriptor 5. It writes the child's process
  // id to descriptor 4, because the process that we start is its own.
  readonly through?: {
    readonly program: string;
    words(node: string): readonly string[];
    readonly filter: Uint8Array;
  };
}

export interface ChildNeeds {
  readonly entry: URL;
  // It reads files here and, if there is a folder `out` in it, writes there. Absent for a child that gets everything in messages.
  readonly folder?: string;
  // What no child may see, even if it lies in a folder with programs or code: the data folder, the key ring.
  readonly hidden?: readonly string[];
}

export const plain = ({ folder }: ChildNeeds): Confinement => ({
  level: "process",
  nodeFlags: [],
  ...(folder === undefined ? {} : { folder }),
});

const outOf = ({ folder }: ChildNeeds): string | null => {
  const out = folder === undefined ? null : join(folder, "out");
  return out !== null && existsSync(out) ? out : null;
};

// Node's own permission model. The watch thread needs `--allow-worker`; it is given up as soon as that thread runs
// (own-code.ts), since threads are not held.
export function withPermissions(needs: ChildNeeds): Confinement {
  const out = outOf(needs);
  const code = [...codeFolders(needs.entry), ...compiledFolders()];
  const [within] = hiddenWithin(needs, code);
  if (within !== undefined) throw new Error(`${within} is in a folder that children must read`);
  const reads = [...code, ...(needs.folder ? [needs.folder] : [])];
  return {
    ...plain(needs),
    level: "permissions",
    nodeFlags: [
      "--permission",
      "--allow-worker",
      "--disable-warning=SecurityWarning",
      ...reads.map((folder) => `--allow-fs-read=${join(folder, "*")}`),
      ...(out === null ? [] : [`--allow-fs-write=${join(out, "*")}`]),
    ],
  };
}

// A user of its own, whose number no account has. The folder's path may lead through folders that this user cannot enter, so
// the child has it as its working directory and gets names within.
export function asUser(needs: ChildNeeds, uid: number): Confinement {
  const out = outOf(needs);
  if (out !== null && needs.folder !== undefined) {
    const inputs = join(needs.folder, "in");
    const owner = process.getuid?.() ?? 0;
    chownSync(needs.folder, owner, uid);
    chmodSync(needs.folder, 0o710);
    chownSync(inputs, owner, uid);
    // Files that we create there belong to its group.
    chmodSync(inputs, 0o2750);
    chownSync(out, uid, uid);
  } else if (needs.folder !== undefined) chmodSync(needs.folder, 0o711);
  return { ...plain(needs), level: "user", user: { uid, gid: uid } };
}

const bubblewrapPaths = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap", "/run/current-system/sw/bin/bwrap"];
// Programs and libraries. Links among them stay links.
const systemFolders = ["/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/nix/store"];
const systemFiles = ["/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts"];

export function findBubblewrap(): string | null {
  return bubblewrapPaths.find((path) => existsSync(path)) ?? null;
}

// Namespaces of every kind, an empty root with programs, our code and the child's folder, and a filter for system calls.
export function inBubblewrap(needs: ChildNeeds, program: string): Confinement {
  const filter = seccompProgram(process.arch);
  if (filter === null) throw new Error(`there is no filter of system calls for ${process.arch}`);
  const out = outOf(needs);
  const { folder } = needs;
  const code = [...codeFolders(needs.entry), ...compiledFolders()];
  const words = (node: string) => [
    // The number stays ours, since compiled code is kept by user; it has no capabilities, not even in its own namespace.
    ...["--unshare-all", "--unshare-user", "--cap-drop", "ALL"],
    ...["--die-with-parent", "--new-session", "--as-pid-1", "--info-fd", "4", "--seccomp", "5"],
    ...[...systemFolders, ...systemFiles].flatMap(shown),
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"],
    ...[node, ...code].flatMap(readOnly),
    ...hiddenWithin(needs, [...systemFolders, ...code]).flatMap(coveredUp),
    ...(folder === undefined ? [] : readOnly(folder)),
    ...(out === null ? [] : ["--bind", out, out]),
    ...["--chdir", folder ?? "/", "--", node],
  ];
  return { ...plain(needs), level: "bubblewrap", through: { program, words, filter } };
}

const readOnly = (path: string): string[] => ["--ro-bind-try", path, path];

// Elsewhere it is not there to begin with.
function hiddenWithin({ hidden = [] }: ChildNeeds, folders: readonly string[]): readonly string[] {
  return hidden.filter((path) => folders.some((folder) => path === folder || path.startsWith(`${folder}${sep}`)));
}

function coveredUp(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

function shown(path: string): string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : readOnly(path);
}

// Read, never written: what a child wrote there would run in the next process.
function compiledFolders(): string[] {
  const folder = getCompileCacheDir();
  return folder === undefined ? [] : [dirname(folder)];
}

// Where the entry file and all it imports are: the outermost node_modules of an installation, or a checkout's packages; and where
// packages that are only linked from there really are (`npm link`, a store beside the installation).
export function codeFolders(entry: URL): string[] {
  const files = [fileURLToPath(entry), fileURLToPath(import.meta.url)];
  const own = new Set(files.flatMap((file) => codeFoldersOf(realpathSync(dirname(file)))));
  return [...new Set([...own, ...[...own].flatMap(linkedFrom)])];
}

// Links do not change while we run.
const links = new Map<string, readonly string[]>();

function linkedFrom(modules: string): readonly string[] {
  const known = links.get(modules) ?? (basename(modules) === "node_modules" ? readLinks(modules) : []);
  links.set(modules, known);
  return known;
}

function readLinks(modules: string): string[] {
  if (!existsSync(modules)) return [];
  const found = readdirSync(modules, { withFileTypes: true }).flatMap((entry) => {
    const path = join(modules, entry.name);
    if (entry.isSymbolicLink()) return existsSync(path) ? codeFoldersOf(realpathSync(path)) : [];
    return entry.name.startsWith("@") && entry.isDirectory() ? readLinks(path) : [];
  });
  return [...new Set(found)];
}

function codeFoldersOf(folder: string): string[] {
  const parts = folder.split(sep);
  const modules = parts.indexOf("node_modules");
  if (modules !== -1) return [parts.slice(0, modules + 1).join(sep)];
  const packages = parts.lastIndexOf("packages");
  if (packages === -1) return [folder];
  const root = parts.slice(0, packages).join(sep);
  return [join(root, "packages"), join(root, "node_modules")];
}
