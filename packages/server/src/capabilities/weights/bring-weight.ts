// Brings the bytes of a weight into the blob store: from blobs that were uploaded, or from an address. Size and BLAKE3 must
// be as announced; otherwise nothing is kept. On their way the SHA-256 and the hashes of the pieces are computed.
import type { Clock } from "../../foundation/clock.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { GuardedAnswer, GuardedClient } from "../../foundation/http/outgoing/guarded-client.ts";
import type { Blobs } from "../blobs/index.ts";
import type { Hasher } from "../environments/index.ts";
import { type PieceHashes, pieceHashes } from "./piece-hashes.ts";
import { pieceBytes, type Weight, type WeightId } from "./weight.ts";
import { markReady, noteReceived } from "./weight-store.ts";

export interface BringWeightDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly blobs: Pick<Blobs, "keep" | "hold" | "release" | "reuse" | "open">;
  readonly client: Pick<GuardedClient, "request">;
  readonly blake3: () => Promise<Hasher>;
  // Why an address may not be fetched from; null if it may.
  urlProblem(url: string): string | null;
}

export const weightHolder = (id: WeightId) => ({ kind: "weight", id });
export const partHolder = (id: WeightId) => ({ kind: "weight-part", id });

export const claimMs = 120_000;
const noteEveryMs = 2_000;
const fetchMs = 24 * 3_600_000;
const redirectsMax = 5;

// A problem that another try will not fix.
export class WeightProblem extends Error {}

export async function bringWeight(deps: BringWeightDeps, weight: Weight, signal: AbortSignal): Promise<void> {
  const hashes = await pieceHashes(deps.blake3, pieceBytes);
  const watch = (source: AsyncIterable<Uint8Array>) => watched(deps, weight, source, hashes);
  const commit = commitAs(deps, weight, hashes);
  const here = await deps.blobs.open(weight.blake3);
  if (here !== null) {
    for await (const _ of watch(here.stream)) signal.throwIfAborted();
    const done = await deps.blobs.reuse(weight.blake3, commit);
    if (done === null) throw new WeightProblem("The stored bytes are damaged. Push the file again.");
    return;
  }
  const options = { bytesMax: weight.bytes, expectedHash: weight.blake3, signal, commit };
  if (weight.url !== null)
    return fetchWeight(deps, weight.url, signal, (body) => deps.blobs.keep(watch(body), options));
  await deps.blobs.keep(watch(joined(deps, weight.parts)), options);
}

async function* watched(
  { database, clock }: BringWeightDeps,
  { id }: Weight,
  source: AsyncIterable<Uint8Array>,
  hashes: PieceHashes,
): AsyncGenerator<Uint8Array> {
  let [received, nextMs] = [0, clock.monotonicMs() + noteEveryMs];
  for await (const chunk of source) {
    await hashes.add(chunk);
    received += chunk.length;
    if (clock.monotonicMs() >= nextMs) {
      nextMs = clock.monotonicMs() + noteEveryMs;
      await noteReceived(database, id, received, new Date(clock.now().getTime() + claimMs));
    }
    yield chunk;
  }
}

async function* joined({ blobs }: BringWeightDeps, parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const hash of parts) {
    const opened = await blobs.open(hash);
    if (opened === null) throw new WeightProblem("A part of the upload is gone. Push the file again.");
    yield* opened.stream;
  }
}

function commitAs({ blobs }: BringWeightDeps, weight: Weight, hashes: PieceHashes) {
  // The commit may run twice, but the hashes end once.
  let read: ReturnType<PieceHashes["end"]> | null = null;
  return async (tx: Queryable, { size }: { readonly size: number }): Promise<void> => {
    if (size !== weight.bytes) throw new WeightProblem(`It has ${size} bytes, but ${weight.bytes} were announced.`);
    read ??= hashes.end();
    await blobs.hold(tx, weight.blake3, weightHolder(weight.id));
    if (!(await markReady(tx, weight.id, read))) throw new Fault("not_found", "The weight was removed meanwhile.");
    for (const part of new Set(weight.parts)) await blobs.release(tx, part, partHolder(weight.id));
  };
}

async function fetchWeight(
  deps: BringWeightDeps,
  address: string,
  signal: AbortSignal,
  keep: (body: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  let url = address;
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const problem = deps.urlProblem(url);
    if (problem !== null) throw new WeightProblem(problem);
    let isKept = false;
    let next: string | null = null;
    const receive = async (answer: GuardedAnswer) => {
      next = redirectOf(answer, url);
      if (answer.status !== 200) return;
      await keep(answer.body);
      isKept = true;
    };
    const outcome = await deps.client.request({ url, method: "GET", totalMs: fetchMs, signal, receive });
    if (isKept) return;
    if (next === null) throw problemOf(outcome);
    url = next;
  }
  throw new WeightProblem("The address redirects too often.");
}

function redirectOf({ status, headers }: GuardedAnswer, from: string): string | null {
  const location = headers["location"];
  if (![301, 302, 303, 307, 308].includes(status) || typeof location !== "string") return null;
  return URL.parse(location, from)?.href ?? null;
}

function problemOf(outcome: Awaited<ReturnType<GuardedClient["request"]>>): Error {
  if (outcome.kind === "answered") return new WeightProblem(`The address answered ${outcome.status}.`);
  if (outcome.kind === "refused") return new WeightProblem(`The address is not allowed: ${outcome.reason}.`);
  if (outcome.cause instanceof Fault || outcome.cause instanceof WeightProblem) return outcome.cause;
  return new WeightProblem(`The transfer failed: ${outcome.reason}.`);
}
