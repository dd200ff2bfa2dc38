// ffmpeg makes videos and lossy sound, if it is installed; nothing else in the engine needs it. We start it per file with an
// empty environment, without network access, with bounded memory and time. It ends when its pipes do, so it never outlives a
// child that was killed.
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { NodeError } from "../execution/node-error.ts";

const folders = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/opt/local/bin", "C:\\ffmpeg\\bin"];
const cpuSecondsMax = 600;
const allocationBytesMax = 512 * 1024 ** 2;
const messageCharactersMax = 4000;

type Tool = "ffmpeg" | "ffprobe";

// Looked up at every use, so installing it needs no restart.
export function findTool(tool: Tool, paths: readonly string[] = folders): string | null {
  for (const folder of paths) {
    const path = folder.includes("\\") ? `${folder}\\${tool}.exe` : `${folder}/${tool}`;
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {}
  }
  return null;
}

export function needTool(tool: Tool, what: string, folders?: readonly string[]): string {
  const found = findTool(tool, folders);
  if (found !== null) return found;
  throw new NodeError(
    `${what} needs ${tool}, which is not installed on this machine. Install ffmpeg (apt-get install ffmpeg, brew install ffmpeg) and run the job again.`,
  );
}

export type Feed = AsyncIterable<Uint8Array>;

interface ToolRun {
  readonly path: string;
  readonly words: readonly string[];
  // Written to descriptors 0, 3, 4 … in this order.
  readonly feeds?: readonly Feed[];
  // Called before a chunk is kept; throws if it would be too much.
  readonly onBytes?: (total: number) => void;
  readonly failure: string;
}

const limits = ["-timelimit", String(cpuSecondsMax), "-max_alloc", String(allocationBytesMax)] as const;
export const bounded = ["-nostdin", "-y", "-hide_banner", "-loglevel", "error", ...limits] as const;

// The option for "every frame as it is" changed in 5.1; a version without a number is newer.
export async function everyFrame(path: string): Promise<readonly string[]> {
  const said = await runTool({ path, words: ["-version"], failure: "The installed ffmpeg could not be started." });
  return frameWords(said.toString("latin1", 0, 200));
}

export function frameWords(version: string): readonly string[] {
  const [, major = "9", minor = "0"] = /^ffmpeg version n?(\d+)\.(\d+)/.exec(version) ?? [];
  const isOld = Number(major) < 5 || (Number(major) === 5 && Number(minor) < 1);
  return isOld ? ["-vsync", "passthrough"] : ["-fps_mode", "passthrough"];
}

// Returns its standard output.
export async function runTool({ path, words, feeds = [], onBytes, failure }: ToolRun): Promise<Buffer> {
  const extra = feeds.slice(1).map(() => "pipe" as const);
  const child = spawn(path, words, {
    stdio: [feeds.length > 0 ? "pipe" : "ignore", "pipe", "pipe", ...extra],
    env: process.platform === "win32" ? { SystemRoot: "C:\\Windows" } : {},
    windowsHide: true,
  });
  let said = "";
  const ended = new Promise<number | null>((resolve) => {
    child.on("error", () => resolve(null));
    child.on("close", (code) => resolve(code));
  });
  const [, output, messages] = child.stdio;
  messages?.on("data", (text) => {
    said = (said + String(text)).slice(-messageCharactersMax);
  });
  try {
    const pipes = [child.stdio[0], ...child.stdio.slice(3)];
    const fed = feeds.map((feed, index) => feedInto(pipes[index], feed));
    const [bytes] = await Promise.all([collect(output, onBytes), ...fed]);
    if ((await ended) === 0) return bytes;
    process.stderr.write(`${said}\n`);
    throw new NodeError(failure);
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

async function collect(output: Readable | null, onBytes: ToolRun["onBytes"]): Promise<Buffer> {
  const parts: Buffer[] = [];
  let total = 0;
  for await (const part of output ?? []) {
    total += part.length;
    onBytes?.(total);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

// If the tool stops reading early, its exit code says why, not the broken pipe.
async function feedInto(pipe: Readable | Writable | null | undefined, feed: Feed): Promise<void> {
  if (!pipe || !("write" in pipe)) return;
  let isBroken = false;
  pipe.on("error", () => {
    isBroken = true;
  });
  for await (const part of feed) {
    if (isBroken || pipe.destroyed) break;
    if (!pipe.write(part)) await drained(pipe);
  }
  pipe.end();
}

function drained(pipe: Writable): Promise<void> {
  const events = ["drain", "close", "error"] as const;
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) pipe.off(event, done);
      resolve();
    };
    for (const event of events) pipe.once(event, done);
  });
}
