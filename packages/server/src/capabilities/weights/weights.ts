// Weights that operators keep: added from uploads or addresses, described, removed, and read piece by piece by workers.
import type { Clock } from "../../foundation/clock.ts";
import type { Acting } from "../../foundation/database/acting.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { newId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import type { Audit, NewAuditEntry } from "../audit/index.ts";
import type { Blobs, OpenedBytes } from "../blobs/index.ts";
import { isInsidePath } from "../environments/index.ts";
import { type BringWeightDeps, bringWeight, claimMs, partHolder, WeightProblem, weightHolder } from "./bring-weight.ts";
import type { Weight, WeightId } from "./weight.ts";
import {
  changeNotes,
  claimArriving,
  findPieces,
  findReadyBytes,
  findWeight,
  findWeights,
  insertWeight,
  lockWeightAt,
  markFailed,
  noteUsed,
  removeWeight,
  restartWeight,
  type WeightPiecesRecord,
} from "./weight-store.ts";

export interface NewWeight extends Pick<Weight, "path" | "blake3" | "bytes" | "url" | "parts" | "licence" | "note"> {}

export interface Weights {
  // Its bytes arrive later. `isNew` is false if it is kept, or on its way, already.
  add(made: NewWeight, by: Acting): Promise<{ isNew: boolean; weight: Weight }>;
  list(page: { readonly after: readonly [string, string] | null; readonly count: number }): Promise<readonly Weight[]>;
  // Throws not_found.
  get(id: WeightId): Promise<Weight>;
  change(id: WeightId, to: Partial<Pick<Weight, "licence" | "note">>, by: Acting): Promise<Weight>;
  remove(id: WeightId, by: Acting): Promise<void>;
  // Null if its bytes are not here.
  pieces(blake3: string): Promise<WeightPiecesRecord | null>;
  // Null if its bytes are not here, or not in a file of this machine.
  fileOf(blake3: string): Promise<string | null>;
  // Throws not_found, and invalid_request for a range outside of it.
  open(blake3: string, range: { readonly from: number; readonly bytes: number }): Promise<OpenedBytes>;
  // Models that workers have loaded now.
  used(names: readonly string[]): Promise<void>;
  // Brings everything that was added and has not arrived.
  bring(signal: AbortSignal): Promise<void>;
}

export interface WeightsDeps extends BringWeightDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn" | "info">;
  readonly audit: Pick<Audit, "append">;
  readonly blobs: BringWeightDeps["blobs"] & Pick<Blobs, "requireRoom" | "fileOf">;
  // Called when something was added.
  wake(): void;
}

export function createWeights(deps: WeightsDeps): Weights {
  const { database, clock, audit, blobs } = deps;
  async function get(id: WeightId): Promise<Weight> {
    const found = await findWeight(database, id);
    if (found === null) throw noSuchWeight();
    return found;
  }
  return {
    async add(made, by) {
      requireAddable(deps, made);
      await blobs.requireRoom(made.bytes);
      const added = await database.transaction(async (tx) => addWeight(deps, tx, made, by));
      if (added.isNew) deps.wake();
      return added;
    },
    list: (page) => findWeights(database, page),
    get,
    async change(id, to, by) {
      const before = await get(id);
      const after = { ...before, ...to };
      await database.transaction(async (tx) => {
        await changeNotes(tx, after);
        await audit.append(tx, entry(by, "change", after));
      });
      return after;
    },
    async remove(id, by) {
      await database.transaction(async (tx) => {
        const removed = await removeWeight(tx, id);
        if (removed === null) throw noSuchWeight();
        await blobs.release(tx, removed.blake3, weightHolder(id));
        await releaseParts(deps, tx, removed);
        await audit.append(tx, entry(by, "remove", removed));
      });
    },
    pieces: (blake3) => findPieces(database, blake3),
    fileOf: async (blake3) => ((await findReadyBytes(database, blake3)) === null ? null : blobs.fileOf(blake3)),
    async open(blake3, { from, bytes }) {
      const size = await findReadyBytes(database, blake3);
      if (size === null) throw noSuchWeight();
      if (bytes < 1 || from + bytes > size) throw new Fault("invalid_request", `The weight has ${size} bytes.`);
      const opened = await blobs.open(blake3, { start: from, end: from + bytes - 1 });
      if (opened === null) throw noSuchWeight();
      return opened;
    },
    used: (names) => (names.length === 0 ? Promise.resolve() : noteUsed(database, names, clock.now())),
    async bring(signal) {
      while (!signal.aborted) {
        const now = clock.now();
        const weight = await claimArriving(database, now, new Date(now.getTime() + claimMs));
        if (weight === null) return;
        await bringOne(deps, weight, signal);
      }
    },
  };
}

function requireAddable(deps: WeightsDeps, { path, url, parts }: NewWeight): void {
  if (!isInsidePath(path) || !path.includes("/"))
    throw new Fault("invalid_request", "path must be a folder and a name below models: checkpoints/base.safetensors.");
  if (url !== null && parts.length > 0) throw new Fault("invalid_request", "Give parts or url, and not both.");
  const problem = url === null ? null : deps.urlProblem(url);
  if (problem !== null) throw new Fault("invalid_request", problem);
}

async function addWeight(deps: WeightsDeps, tx: Queryable, made: NewWeight, by: Acting) {
  const { clock, audit } = deps;
  const fresh: Weight = {
    ...made,
    id: newId<"weight">(clock.now().getTime()),
    sha256: null,
    state: "arriving",
    bytesReceived: 0,
    problem: null,
    createdAt: clock.now(),
    lastUsedAt: null,
  };
  const isInserted = await insertWeight(tx, fresh);
  const known = isInserted ? null : await lockWeightAt(tx, made.path, made.blake3);
  if (known !== null && known.state !== "failed") return { isNew: false, weight: known };
  const weight = known === null ? fresh : { ...known, ...made, licence: known.licence, note: known.note };
  await holdSources(deps, tx, weight);
  if (known !== null) await restartWeight(tx, weight);
  await audit.append(tx, entry(by, "add", weight));
  return { isNew: true, weight: { ...weight, state: "arriving" as const, problem: null, bytesReceived: 0 } };
}

async function holdSources({ blobs }: WeightsDeps, tx: Queryable, weight: Weight): Promise<void> {
  for (const part of new Set(weight.parts)) await blobs.hold(tx, part, partHolder(weight.id));
  if (weight.url !== null || weight.parts.length > 0) return;
  try {
    await blobs.hold(tx, weight.blake3, weightHolder(weight.id));
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== "blob_not_found") throw thrown;
    throw new Fault("invalid_request", "This server does not have these bytes. Give parts (uploaded assets) or url.");
  }
}

async function releaseParts({ blobs }: WeightsDeps, tx: Queryable, { id, parts }: Weight): Promise<void> {
  for (const part of new Set(parts)) await blobs.release(tx, part, partHolder(id));
}

async function bringOne(deps: WeightsDeps, weight: Weight, signal: AbortSignal): Promise<void> {
  try {
    await bringWeight(deps, weight, signal);
    deps.log.info({ path: weight.path, bytes: weight.bytes }, "a weight has arrived");
  } catch (thrown) {
    if (signal.aborted) return;
    const problem = thrown instanceof WeightProblem || thrown instanceof Fault ? thrown.message : null;
    // Not about this weight: the database or the store is away. The claim ends by itself, and the next round tries again.
    if (problem === null || (thrown instanceof Fault && thrown.status >= 500)) throw thrown;
    deps.log.warn({ path: weight.path, problem }, "a weight could not be brought");
    await deps.database.transaction(async (tx) => {
      await markFailed(tx, weight.id, problem);
      await deps.blobs.release(tx, weight.blake3, weightHolder(weight.id));
      await releaseParts(deps, tx, weight);
    });
  }
}

function noSuchWeight(): Fault {
  return new Fault("not_found", "There is no such weight.");
}

function entry(by: Acting, verb: string, { id, path, blake3, bytes, licence, note }: Weight): NewAuditEntry {
  return {
    ...by,
    action: `weight.${verb}`,
    subject: { kind: "weight", id },
    after: { path, blake3, bytes, licence, note },
    shown: ["path", "blake3", "licence"],
  };
}
