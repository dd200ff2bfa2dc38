// Fills the application's folder for `atelier env fill` and `atelier worker --env`: reads the lock, asks the server with the
// worker's own token, and reports its progress.
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Background } from "../../foundation/background.ts";
import { systemClock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import { sizeText } from "../../foundation/home/size-text.ts";
import { isLoopback } from "../../foundation/http/loopback-guard.ts";
import { letHeapGrow } from "../../foundation/memory/heap-growth.ts";
import { machineMark } from "../../foundation/process-identity.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { blake3Stream } from "../blobs/index.ts";
import { type EnvironmentLock, findPython, readLock } from "../environments/index.ts";
import { type openServerClient, ServerCallProblem } from "../remote-work/index.ts";
import { type Filled, type Filling, startFilling } from "./fill-folder.ts";
import { FillProblem } from "./fill-problem.ts";

// The terminal and the environment of the person who fills.
export interface FillInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  say(line: string): void;
  redraw(line: string): unknown;
}

export interface FillHere {
  readonly config: { readonly applicationFolder: string | null; readonly home: string };
  readonly input: FillInput;
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly server: ReturnType<typeof openServerClient>;
  readonly serverUrl: string;
  readonly workerId: string;
  readonly poolId: string | null;
  readonly name: string;
  // A file, or an environment on the server by id or name.
  readonly lock: string;
  readonly signal: AbortSignal;
  readonly background: Background;
}

export async function fillHere(asked: FillHere): Promise<Filling> {
  letHeapGrow();
  const { config, input, options } = asked;
  const folder = resolve(config.applicationFolder ?? ".");
  const python = typeof options["python"] === "string" ? options["python"] : await findPython(folder);
  return asUsage(async () =>
    startFilling(
      {
        ...asked,
        serverIsHere: isLoopback(new URL(asked.serverUrl).hostname),
        machine: options["over-network"] === true ? null : machineMark(),
        clock: systemClock,
        blake3: blake3Stream(),
        isPassing: (thrown) => thrown instanceof ServerCallProblem && thrown.isPassing,
        onProgress({ name, bytesDone, bytesTotal }) {
          const share = Math.floor((100 * bytesDone) / Math.max(1, bytesTotal));
          input.redraw(`${share} % of ${sizeText(bytesTotal)}  ${name}`);
        },
        onLie: (neighbour, weight) => input.say(`${neighbour} sent wrong bytes of ${weight}; it is not asked again.`),
      },
      {
        folder,
        lock: await readWanted(asked),
        python: options["without-python"] === true ? null : { path: python, env: input.env },
        wheels: typeof options["wheels"] === "string" ? options["wheels"] : null,
        spareBytesMax: readBytes(options["spare-weights"]),
        shareAt: readShare(options["share"]),
        memory: join(resolve(config.home), "env", "hashes"),
      },
    ),
  );
}

// Waits until the folder equals the lock.
export async function untilFilled(filling: Filling, input: FillInput): Promise<Filled> {
  try {
    return await asUsage(() => filling.filled);
  } finally {
    input.redraw("");
  }
}

export function filledText(filled: Filled): string {
  const { fetched, fetchedBytes, packs, disabledPacks, pythonPackages, movedAside, evictedBytes, liars } = filled;
  return [
    "The folder equals the lock.",
    `Weights fetched: ${fetched} (${sizeText(fetchedBytes)}).`,
    ...(packs.length > 0 ? [`Packs installed: ${packs.join(", ")}.`] : []),
    ...(disabledPacks.length > 0 ? [`Packs switched off: ${disabledPacks.join(", ")}.`] : []),
    ...(pythonPackages > 0 ? [`Python packages changed: ${pythonPackages}.`] : []),
    ...(movedAside.length > 0 ? [`Moved to atelier-aside: ${movedAside.slice(0, 10).join(", ")}.`] : []),
    ...(evictedBytes > 0 ? [`Spare weights removed: ${sizeText(evictedBytes)}.`] : []),
    ...(liars.length > 0 ? [`Sent wrong bytes: ${liars.join(", ")}.`] : []),
  ].join("\n");
}

async function asUsage<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    if (thrown instanceof FillProblem || thrown instanceof ServerCallProblem) throw new UsageProblem([thrown.message]);
    throw thrown;
  }
}

async function readWanted({ lock, server, workerId }: FillHere): Promise<EnvironmentLock> {
  const text = await readFile(lock, "utf8").catch(() => null);
  try {
    if (text !== null) return readLock(JSON.parse(text));
    const path = `/api/workers/${workerId}/environments/${encodeURIComponent(lock)}`;
    const found = await server.call({ method: "GET", path, totalMs: 60_000 });
    return readLock(typeof found === "object" && found !== null ? Reflect.get(found, "lock") : null);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) throw new UsageProblem([`${lock} is not JSON.`]);
    if (thrown instanceof ServerCallProblem && thrown.status === 404)
      throw new UsageProblem([`${lock} is neither a file here nor an environment on the server.`]);
    if (thrown instanceof Fault) throw new UsageProblem([`${lock}: ${thrown.message}`]);
    throw thrown;
  }
}

function readShare(given: string | boolean | undefined): string | null {
  if (typeof given !== "string") return null;
  const url = URL.parse(given);
  if (url?.protocol !== "http:" || url.pathname !== "/" || url.username !== "")
    throw new UsageProblem(["--share must be where neighbours reach this machine, such as http://10.0.0.5:9190."]);
  return given;
}

const units: Readonly<Record<string, number>> = { "": 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

function readBytes(given: string | boolean | undefined): number | null {
  if (typeof given !== "string") return null;
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)\s?([KMGT]?B?)$/i.exec(given) ?? [];
  const factor = units[unit.toUpperCase()];
  if (amount === undefined || factor === undefined)
    throw new UsageProblem(["--spare-weights must be a size such as 200GB."]);
  return Number(amount) * factor;
}
