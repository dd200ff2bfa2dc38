// Fetches the missing pieces of one weight from the server and from neighbours that fetch the same. The pieces are divided
// into stretches, and each stretch belongs to one of the workers that are there: the one whose id and the stretch hash
// highest. It gets the stretch from the server, the others get it from there. So the server sends everything about once,
// with nothing to agree on. If a worker leaves, lies or stalls, its stretches belong to the others.
import { createHash } from "node:crypto";
import { FillProblem } from "../fill-problem.ts";
import type { Neighbour } from "./neighbour.ts";
import { type Peer, Peers } from "./peers.ts";
import type { PieceFile } from "./piece-file.ts";
import { hasBit, lengthOf } from "./pieces.ts";

export interface FetchDeps {
  readonly workerId: string;
  // Bytes of some pieces in a row, from the server.
  fromServer(firstByte: number, bytes: number): Promise<AsyncIterable<Uint8Array>>;
  // Who else has this weight or fetches it now.
  neighbours(): readonly Neighbour[];
  onBytes(bytes: number): void;
  // It sent wrong bytes.
  onLie(neighbour: Neighbour, piece: number): void;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  nowMs(): number;
  // Whether the server may answer the same call in a moment.
  isPassing(thrown: unknown): boolean;
  readonly signal: AbortSignal;
}

const stretchPieces = 16;
const fetchersMax = 4;
const lookEveryMs = 200;
const serverFailuresMax = 60;
const serverPauseMs = 1_000;

export async function fetchWeight(file: PieceFile, deps: FetchDeps, liars: Set<string>): Promise<void> {
  const looking = new AbortController();
  const signal = AbortSignal.any([deps.signal, looking.signal]);
  const work: Work = {
    file,
    deps,
    signal,
    peers: new Peers({ ...deps, blake3: file.pieces.blake3 }, liars),
    rank: rankings(file.pieces.blake3),
    inFlight: new Set(),
    serverFailures: 0,
  };
  await work.peers.look(signal);
  const looks = keepLooking(work).catch(() => undefined);
  const lanes = Array.from({ length: fetchersMax }, () => fetchAll(work));
  try {
    await Promise.all(lanes);
  } finally {
    // If one failed, the others end too, and none writes to the file after this.
    looking.abort();
    await Promise.allSettled(lanes);
    await looks;
  }
}

interface Work {
  readonly file: PieceFile;
  readonly deps: FetchDeps;
  readonly signal: AbortSignal;
  readonly peers: Peers;
  readonly rank: Rank;
  // Stretches of which something is on its way.
  readonly inFlight: Set<number>;
  serverFailures: number;
}

// Pieces in a row, from a neighbour or, if null, from the server.
interface Task {
  readonly first: number;
  readonly count: number;
  readonly peer: Peer | null;
}

async function keepLooking({ peers, deps, signal }: Work): Promise<void> {
  for (; !signal.aborted; await deps.sleep(lookEveryMs, signal)) await peers.look(signal);
}

async function fetchAll(work: Work): Promise<void> {
  const { file, deps, signal } = work;
  while (file.missing > 0) {
    signal.throwIfAborted();
    const task = nextTask(work);
    if (task === null) await deps.sleep(lookEveryMs / 2, signal);
    else await attempt(work, task);
  }
}

async function attempt(work: Work, task: Task): Promise<void> {
  const { file, deps, peers } = work;
  const { peer, first, count } = task;
  const stretch = Math.floor(first / stretchPieces);
  work.inFlight.add(stretch);
  if (peer === null) file.expect(first, count, true);
  else peer.running += 1;
  try {
    await bring(work, task);
    if (peer === null) work.serverFailures = 0;
  } catch (thrown) {
    if (work.signal.aborted || isOwnFault(thrown)) throw thrown;
    if (peer !== null) peers.leave(peer);
    else if (!deps.isPassing(thrown) || ++work.serverFailures > serverFailuresMax) throw thrown;
    else await deps.sleep(serverPauseMs, work.signal);
  } finally {
    work.inFlight.delete(stretch);
    if (peer === null) file.expect(first, count, false);
    else peer.running -= 1;
  }
}

// A neighbour that has something comes before the server. Of stretches that no neighbour has or expects, we get our own.
function nextTask({ file, deps, peers, rank, inFlight }: Work): Task | null {
  const stretches = Math.ceil(file.pieces.count / stretchPieces);
  const here = peers.here();
  const moving = here.filter((peer) => peers.isMoving(peer)).map(({ neighbour }) => neighbour.workerId);
  // Alone in order, so that the whole is hashed as it arrives and nothing is read back. With others anywhere, so that not all of
  // them ask one neighbour for the same.
  const offset = here.length === 0 ? 0 : Math.floor(Math.random() * stretches);
  let own: Task | null = null;
  for (let turn = 0; turn < stretches; turn += 1) {
    const stretch = (turn + offset) % stretches;
    if (inFlight.has(stretch)) continue;
    for (const peer of here) {
      if (peer.running >= (peer.isProven ? 2 : 1)) continue;
      const row = rowIn(file, stretch, (piece) => hasBit(peer.bits, piece));
      if (row !== null) return { ...row, peer };
    }
    if (own !== null || ownerOf(rank, stretch, [deps.workerId, ...moving]) !== deps.workerId) continue;
    const row = rowIn(file, stretch, () => true);
    if (row !== null && !here.some((peer) => peers.isWith(peer, row.first))) own = { ...row, peer: null };
  }
  return own;
}

// The missing pieces in a row, from the first that passes.
function rowIn(file: PieceFile, stretch: number, passes: (piece: number) => boolean) {
  const end = Math.min(file.pieces.count, (stretch + 1) * stretchPieces);
  let [first, count] = [-1, 0];
  for (let piece = stretch * stretchPieces; piece < end; piece += 1) {
    const isWanted = !file.has(piece) && passes(piece);
    if (!isWanted && first >= 0) break;
    if (!isWanted) continue;
    if (first < 0) first = piece;
    count += 1;
  }
  return first < 0 ? null : { first, count };
}

async function bring({ file, deps, peers, signal }: Work, { first, count, peer }: Task): Promise<void> {
  const { pieces } = file;
  const bytesAll = (count - 1) * pieces.pieceBytes + lengthOf(pieces, first + count - 1);
  const source =
    peer === null
      ? await deps.fromServer(first * pieces.pieceBytes, bytesAll)
      : await peer.neighbour.pieces(pieces.blake3, first, count, signal);
  let piece = first;
  for await (const bytes of inPieces(source, (at) => lengthOf(pieces, first + at), count)) {
    if (!(await file.put(piece, bytes))) {
      if (peer === null) throw new FillProblem("The server sent bytes that do not match its own list.");
      if (!peers.liars.has(peer.neighbour.workerId)) deps.onLie(peer.neighbour, piece);
      peers.liars.add(peer.neighbour.workerId);
      return;
    }
    deps.onBytes(bytes.length);
    piece += 1;
    if (peer === null) continue;
    peer.isProven = true;
    if (peers.liars.has(peer.neighbour.workerId)) return;
  }
}

// A full disk is not the sender's fault.
const isOwnFault = (thrown: unknown) =>
  thrown instanceof Error && "code" in thrown && /^(ENOSPC|EDQUOT|EIO|EROFS|EACCES)$/.test(String(thrown.code));

type Rank = (worker: string, stretch: number) => string;

export function rankings(blake3: string): Rank {
  const known = new Map<string, string>();
  return (worker, stretch) => {
    const name = `${worker} ${stretch}`;
    const rank = known.get(name) ?? createHash("sha256").update(`${name} ${blake3}`).digest("hex");
    known.set(name, rank);
    return rank;
  };
}

// The same for everyone who sees the same workers; if one goes, only its own stretches change hands.
export function ownerOf(rank: Rank, stretch: number, workers: readonly string[]): string {
  let [owner, highest] = ["", ""];
  for (const worker of workers) {
    const own = rank(worker, stretch);
    if (own > highest) [owner, highest] = [worker, own];
  }
  return owner;
}

// Cuts a stream into pieces. The memory of one piece is used again for the next.
async function* inPieces(
  source: AsyncIterable<Uint8Array>,
  lengthAt: (at: number) => number,
  count: number,
): AsyncGenerator<Buffer> {
  let at = 0;
  let buffer = Buffer.allocUnsafe(lengthAt(0));
  let filled = 0;
  for await (const chunk of source) {
    for (let read = 0; read < chunk.length; ) {
      if (at >= count) return;
      const part = chunk.subarray(read, read + buffer.length - filled);
      buffer.set(part, filled);
      filled += part.length;
      read += part.length;
      if (filled < buffer.length) continue;
      yield buffer;
      at += 1;
      filled = 0;
      if (at < count && lengthAt(at) !== buffer.length) buffer = Buffer.allocUnsafe(lengthAt(at));
    }
  }
  if (at < count) throw new Error("The transfer ended early.");
}
