// Workers that fill their folders: how far they are, who has which weight, and who sent wrong bytes. The server only
// introduces neighbours of one pool to each other. An accusation is shown to operators and has no other effect, because the
// accuser may be the one who lies.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { FillReport, WorkerFill } from "./fill-report.ts";
import {
  bytesLeft,
  deleteFillsBefore,
  findFills,
  findHolders,
  findNeighbours,
  type HolderRow,
  type NeighbourRow,
  noteAccused,
  upsertFill,
} from "./fill-store.ts";

export interface Fills {
  // Returns who else in the pool has the wanted weight. Throws conflict if the id belongs to another token.
  report(report: FillReport): Promise<readonly NeighbourRow[]>;
  list(): Promise<readonly WorkerFill[]>;
  holdersOf(hashes: readonly string[]): Promise<readonly HolderRow[]>;
  // What all workers together still have to fetch.
  bytesLeft(): Promise<number>;
  forget(): Promise<void>;
}

// A worker reports every few seconds while it fills, and every 20 seconds afterwards.
const presentMs = 60_000;
const keptMs = 7 * 86_400_000;

export function createFills({ database, clock }: { readonly database: Database; readonly clock: Clock }): Fills {
  const since = (ms: number) => new Date(clock.now().getTime() - ms);
  return {
    async report(report) {
      if (!(await upsertFill(database, report, clock.now())))
        throw new Fault("conflict", "This worker id is registered with another worker token.");
      if (report.accuses.length > 0) await noteAccused(database, report);
      const { wants } = report;
      return wants === null ? [] : findNeighbours(database, { ...report, wants }, since(presentMs));
    },
    list: () => findFills(database, since(presentMs)),
    holdersOf: (hashes) => findHolders(database, hashes, since(presentMs)),
    bytesLeft: () => bytesLeft(database, since(presentMs)),
    forget: () => deleteFillsBefore(database, since(keptMs)),
  };
}
