// Submission: the call (key, hold, intent) and the waiting request are one commit, shared by concurrent submissions. The
// number of waiting requests per workspace is bounded exactly, because the wallet is locked while we count. If some of a
// batch do not fit, it is rolled back and run again without them, so no request fails another.
import {
  CommitUnknown,
  type Database,
  groupCommit,
  isUniqueViolation,
  type Queryable,
} from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import {
  type BeginVerdict,
  type Begun,
  type CallOpening,
  type Calls,
  type ItemResult,
  runBatch,
  unwrap,
} from "../calls/index.ts";
import { inlineBodyBytesMax, type ModelRequestId } from "./model-request.ts";
import { findSubmitted } from "./request-store.ts";
import { insertRequests, type NewRequest } from "./submit-store.ts";

// The part of blob storage we need.
export interface RequestBlobs {
  // `commit` runs in the transaction that makes the bytes visible. It may run more than once.
  keep<T>(bytes: Buffer, commit: (tx: Queryable, hash: string) => Promise<T>): Promise<T>;
  hold(tx: Queryable, hash: string, id: ModelRequestId): Promise<void>;
  release(tx: Queryable, hash: string, id: ModelRequestId): Promise<void>;
  read(hash: string): Promise<Buffer | null>;
}

export interface SubmitDeps {
  readonly database: Database;
  readonly calls: Pick<Calls, "beginWithin" | "makeWallets">;
  readonly blobs: RequestBlobs;
}

export interface SubmittedRequest {
  readonly model: string;
  readonly bytes: Buffer;
  readonly isCostly: boolean;
  readonly longestRunSeconds: number;
  readonly webhookUrl: string | null;
  // How many requests of the workspace may wait.
  readonly backlogMax: number;
}

export interface RequestSubmitter {
  // Begins like a call. Once begun, the request waits in the queue, and `inFlight` says behind how many. Throws
  // queue_backlog_full.
  begin(opening: CallOpening, request: SubmittedRequest): Promise<Begun>;
  close(): Promise<void>;
}

interface Item {
  readonly opening: CallOpening;
  readonly row: NewRequest;
  readonly backlogMax: number;
}

type Verdict = BeginVerdict | { readonly kind: "backlog_full" };

// These no longer fit, so the whole transaction must be rolled back.
class BacklogFull extends Error {
  readonly ids: readonly ModelRequestId[];

  constructor(ids: readonly ModelRequestId[]) {
    super("more requests than may wait");
    this.ids = ids;
  }
}

const batchMax = 128;
const backlogRetrySeconds = 5;

export function requestSubmitter(deps: SubmitDeps): RequestSubmitter {
  const submitting = groupCommit<Item, ItemResult<Verdict>>({
    maxBatch: batchMax,
    inFlight: 1,
    run: (items) => runBatch(items, (some) => submitOnce(deps, some)),
  });
  return {
    async begin(opening, request) {
      const isLarge = request.bytes.byteLength > inlineBodyBytesMax;
      const item = { opening, row: rowOf(opening, request), backlogMax: request.backlogMax };
      for (;;) {
        const verdict = isLarge ? await submitLarge(deps, item, request.bytes) : unwrap(await submitting(item));
        switch (verdict.kind) {
          case "again":
            continue;
          case "no_wallet":
            await deps.calls.makeWallets([opening.workspaceId]);
            continue;
          case "backlog_full":
            throw backlogFull(request.backlogMax);
          case "begun":
            // Another process may run it, so the call is never sent from here.
            return { kind: "begun", call: { ...opening, fence: 1, maySend: () => false }, inFlight: verdict.inFlight };
          default:
            return verdict;
        }
      }
    },
    close: () => submitting.close(),
  };
}

function rowOf(opening: CallOpening, request: SubmittedRequest): NewRequest {
  const { model, isCostly, longestRunSeconds, webhookUrl, bytes } = request;
  const { id, workspaceId, hold } = opening;
  return { id, workspaceId, hold, model, isCostly, longestRunSeconds, webhookUrl, body: bytes, bodyBlob: null };
}

function backlogFull(backlogMax: number): Fault {
  return new Fault(
    "queue_backlog_full",
    `This workspace already has ${backlogMax} requests waiting, which is its limit. Wait for some of them to complete.`,
    { retryAfterSeconds: backlogRetrySeconds, details: { limit: "queued_requests", value: backlogMax } },
  );
}

function submitOnce(deps: SubmitDeps, items: readonly Item[]): Promise<Verdict[]> {
  return insisting(deps, items, (attempt) => deps.database.transaction((tx) => submitWithin(deps, tx, items, attempt)));
}

// The bytes are on disk and held before the request that names them is committed.
async function submitLarge(deps: SubmitDeps, item: Item, bytes: Buffer): Promise<Verdict> {
  const { blobs } = deps;
  const { id } = item.opening;
  const [verdict] = await insisting(deps, [item], (attempt) =>
    blobs.keep(bytes, async (tx, hash) => {
      const stored = { ...item, row: { ...item.row, body: null, bodyBlob: hash } };
      // Before the wallet, the same order as when the request ends.
      await blobs.hold(tx, hash, id);
      const verdicts = await submitWithin(deps, tx, [stored], attempt);
      if (verdicts[0]?.kind !== "begun") await blobs.release(tx, hash, id);
      return verdicts;
    }),
  );
  return verdict ?? { kind: "again" };
}

interface Attempt {
  readonly isExact: boolean;
  readonly refused: ReadonlySet<ModelRequestId>;
}

async function insisting(
  deps: SubmitDeps,
  items: readonly Item[],
  run: (attempt: Attempt) => Promise<Verdict[]>,
): Promise<Verdict[]> {
  let attempt: Attempt = { isExact: false, refused: new Set() };
  for (;;) {
    try {
      return await run(attempt);
    } catch (error) {
      if (error instanceof BacklogFull) attempt = { ...attempt, refused: new Set([...attempt.refused, ...error.ids]) };
      // Another process took one of the keys while we waited for the wallet.
      else if (!attempt.isExact && isUniqueViolation(error, "call_keys_pkey")) attempt = { ...attempt, isExact: true };
      else return lookedUp(deps, items, error);
    }
  }
}

// A lost COMMIT answer is settled by reading. The lost transaction may still go through after that; then its row blocks the
// next attempt, and in a batch we know the late one only once it is alone.
async function lookedUp(deps: SubmitDeps, items: readonly Item[], error: unknown): Promise<Verdict[]> {
  const isLate = isUniqueViolation(error, "calls_pkey");
  if (isLate ? items.length > 1 : !(error instanceof CommitUnknown)) throw error;
  const there = await findSubmitted(
    deps.database,
    items.map(({ opening }) => opening),
  );
  return items.map(({ opening }) => (there.has(opening.id) ? { kind: "begun", inFlight: 0 } : { kind: "again" }));
}

async function submitWithin(
  { calls }: SubmitDeps,
  tx: Queryable,
  items: readonly Item[],
  { isExact, refused }: Attempt,
): Promise<Verdict[]> {
  const openings = items.map(({ opening }) => ({
    ...opening,
    isParked: true,
    isValid: opening.isValid && !refused.has(opening.id),
  }));
  const verdicts = await calls.beginWithin(tx, openings, isExact);
  const begun = items.filter((_, index) => verdicts[index]?.kind === "begun");
  const ahead = begun.length === 0 ? new Map<ModelRequestId, number>() : await insertBegun(tx, begun);
  return items.map(({ opening }, index): Verdict => {
    const verdict = verdicts[index] ?? { kind: "again" };
    if (verdict.kind === "begun") return { kind: "begun", inFlight: ahead.get(opening.id) ?? 0 };
    return verdict.kind === "invalid" && opening.isValid ? { kind: "backlog_full" } : verdict;
  });
}

// Returns how many wait before each of them.
async function insertBegun(tx: Queryable, begun: readonly Item[]): Promise<Map<ModelRequestId, number>> {
  const waiting = await insertRequests(
    tx,
    begun.map(({ row }) => row),
  );
  const ahead = new Map<ModelRequestId, number>();
  for (const { opening } of begun) {
    const count = waiting.get(opening.workspaceId) ?? 0;
    ahead.set(opening.id, count);
    waiting.set(opening.workspaceId, count + 1);
  }
  // The last ones of each workspace.
  const tooMany = begun.filter(({ opening, backlogMax }) => (ahead.get(opening.id) ?? 0) >= backlogMax);
  if (tooMany.length > 0) throw new BacklogFull(tooMany.map(({ opening }) => opening.id));
  return ahead;
}
