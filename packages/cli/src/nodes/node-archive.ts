// Packs a node. In a git checkout that is what git tracks, minus what the ignore file names, plus what the manifest includes by
// hand; elsewhere everything but hidden files and caches. The same files give the same bytes: names are sorted and carry no
// times.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClientProblem } from "../server/client-problem.ts";
import type { NodeFinding, NodeManifest } from "./node-manifest.ts";

export interface ArchiveFiles {
  // Paths relative to the folder, with forward slashes.
  readonly files: readonly string[];
  readonly bytes: number;
  readonly findings: readonly NodeFinding[];
  readonly isTracked: boolean;
}

export function listFiles(
  folder: string,
  { toolName, includes }: Pick<NodeManifest, "toolName" | "includes">,
): ArchiveFiles {
  const ignores = [".atelierignore", `.${toolName}ignore`].filter((name) => existsSync(join(folder, name)));
  const excluded = ignores.flatMap((name) => ["--exclude-from", name]);
  const tracked = git(folder, ["ls-files", "-z", "--cached", "--", "."]);
  const isTracked = tracked !== null && tracked.length > 0;
  const ignored =
    isTracked && excluded.length > 0 ? git(folder, ["ls-files", "-z", "-c", "-i", ...excluded, "--", "."]) : [];
  const found = isTracked ? tracked.filter((file) => !ignored?.includes(file)) : untracked(folder, excluded);
  const names = new Set([
    ...found,
    ...includes.flatMap((path) => filesBelow(folder, path.replace(/^\.?\/+|\/+$/g, ""))),
  ]);
  const findings: NodeFinding[] = [];
  const files: string[] = [];
  let bytes = 0;
  for (const name of [...names].sort()) {
    const state = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (state?.isFile()) {
      files.push(name);
      bytes += state.size;
    } else findings.push(problemOfFile(name, state?.isSymbolicLink() === true, state?.isDirectory() === true));
  }
  return { files, bytes, findings, isTracked };
}

function problemOfFile(file: string, isLink: boolean, isFolder: boolean): NodeFinding {
  if (isLink) return { code: "link", message: "Links are not allowed: add the file itself.", file };
  if (isFolder)
    return { code: "submodule", message: "A nested repository is not packed: copy the files you need.", file };
  return { code: "file_missing", message: "The file is tracked or included, but missing.", file };
}

// Null if this is not a checkout, or git is not installed.
function git(folder: string, words: readonly string[], more: readonly string[] = []): string[] | null {
  const ran = spawnSync("git", [...more, ...words], { cwd: folder, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  return ran.status === 0 ? ran.stdout.split("\0").filter((name) => name !== "") : null;
}

// Without a repository, we run git in an empty one to get its rules for ignore files.
function untracked(folder: string, excluded: readonly string[]): string[] {
  if (excluded.length === 0) return filesBelow(folder, "");
  const empty = mkdtempSync(join(tmpdir(), "atelier-node-"));
  try {
    git(folder, ["init", "-q", "--bare", empty]);
    const gitOptions = ["--git-dir", empty, "--work-tree", "."];
    const kept = git(folder, ["ls-files", "-z", "--others", ...excluded, "--", "."], gitOptions);
    if (kept === null) throw new ClientProblem("usage", "usage", "The ignore file needs git, which is not installed.");
    return kept.filter((name) => !isSkipped(name));
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

const isSkipped = (path: string): boolean =>
  path.split("/").some((part) => part.startsWith(".") || part === "__pycache__" || part === "node_modules");

function filesBelow(folder: string, path: string): string[] {
  const state = lstatSync(join(folder, path), { throwIfNoEntry: false });
  if (!state?.isDirectory()) return path === "" ? [] : [path];
  return readdirSync(join(folder, path)).flatMap((name) => {
    const inner = path === "" ? name : `${path}/${name}`;
    return isSkipped(name) ? [] : filesBelow(folder, inner);
  });
}

export async function pack(folder: string, files: readonly string[]): Promise<Buffer<ArrayBuffer>> {
  // By its default: the one file that servers offer for download gives a library of this kind no other name.
  const { default: yazl } = await import("yazl");
  const zip = new yazl.ZipFile();
  // The earliest time that the format can store.
  const options = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };
  for (const name of files) zip.addFile(join(folder, name), name, options);
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
