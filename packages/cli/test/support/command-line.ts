// Runs the real `atelier` as a child process in an empty folder, with a separate environment and a time limit.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leashed } from "../../../server/test/support/ends-with-us.ts";
import { programMsMax } from "../../../server/test/support/limits.ts";

// Share Node's compile cache: compiling is most of a process's startup time.
const cache = process.env["NODE_COMPILE_CACHE"];
// Files that a command leaves in the temporary folder are removed with the run.
const temporary = process.env["TMPDIR"];
const passedOn: Readonly<Record<string, string>> = {
  ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
  ...(temporary === undefined ? {} : { TMPDIR: temporary }),
};

export const checkout = join(import.meta.dirname, "../../../..");
export const bin = join(checkout, "packages/cli/bin/atelier.mjs");

// Keeps the developer's own data folder, settings and login out of the tests.
const nowhere = mkdtempSync(join(tmpdir(), "atelier-nowhere-"));
process.on("exit", () => rmSync(nowhere, { recursive: true, force: true }));
export const ownEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "",
  HOME: nowhere,
  ...passedOn,
};

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  // A program to run instead of this Node with the checkout's bin.
  readonly program?: readonly [string, ...string[]];
  // For tests that send signals or read the output while it runs.
  started?(child: ChildProcess, printed: { readonly out: string; readonly err: string }): Promise<void>;
}

export function atelier(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const [program, ...before] = options.program ?? [process.execPath, bin];
  const child = spawn(...leashed(program, [...before, ...words]), {
    cwd: options.folder ?? nowhere,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...ownEnvironment, ...options.env },
  });
  const printed = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    printed.err += text;
  });
  const giveUp = setTimeout(() => child.kill("SIGKILL"), programMsMax);
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(giveUp);
      resolve({ code, ...printed });
    });
  });
  return Promise.all([ended, options.started?.(child, printed)]).then(([ran]) => ran);
}

// Standard output must hold exactly one object and nothing else.
export function objectOf(ran: Ran): Record<string, unknown> {
  const value: unknown = JSON.parse(ran.out);
  if (typeof value !== "object" || value === null || ran.out.trim().includes("\n")) throw new Error(ran.out);
  return { ...value };
}

export function dataOf<T>(ran: Ran): T {
  return objectOf(ran)["data"] as T;
}

export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "atelier-cli-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }) };
}
