// The price records. Current ones are cached for at most five seconds; frozen ones for good, since they never change.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { Clock } from "../../foundation/clock.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { newId } from "../../foundation/ids.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import type { PriceDefinition } from "./price-definition.ts";
import {
  findCurrentPrice,
  findPrice,
  insertPrice,
  isCurrentPrice,
  listCurrentPrices,
  listPriceHistory,
  lockPrices,
  type PriceRecord,
  type PriceRecordId,
} from "./price-store.ts";
import type { Subject } from "./subject.ts";
import { validatePrice } from "./validate-price.ts";

export interface Prices {
  // What the subject costs now, or null if it never had a price. Synchronous if cached, otherwise a promise.
  current(subject: Subject): PriceRecord | null | Promise<PriceRecord | null>;
  // The price a call began with.
  get(id: PriceRecordId): PriceRecord | Promise<PriceRecord | null>;
  // Makes this the subject's price: a new version, unless it is already the current one. Rejects an invalid price. Drop the
  // subject after the commit, so that this process sees the change immediately.
  ensure(tx: Queryable, request: EnsuredPrice): Promise<{ readonly record: PriceRecord; readonly isNew: boolean }>;
  list(query: { prefix?: string; after?: Subject | null; count: number }): Promise<readonly PriceRecord[]>;
  history(query: { subject: Subject; beforeVersion?: number | null; count: number }): Promise<readonly PriceRecord[]>;
  drop(subject: Subject): void;
}

export interface EnsuredPrice {
  readonly subject: Subject;
  readonly definition: PriceDefinition;
  readonly createdBy: string;
}

export interface PricesOptions {
  readonly database: Database;
  readonly clock: Clock;
  // Written into every new record; see Price.
  readonly creditsPerUsd: number;
}

const keepMs = 5_000;
const currentMax = 10_000;
const frozenMax = 1_000;

export function createPrices({ database, clock, creditsPerUsd }: PricesOptions): Prices {
  const current = new TtlCache<Subject, PriceRecord | null>({ clock, keepMs, entriesMax: currentMax });
  const look = (subject: Subject) => findCurrentPrice(database, subject);
  const frozen = new BoundedMap<PriceRecordId, PriceRecord>(frozenMax);

  async function find(id: PriceRecordId): Promise<PriceRecord | null> {
    const record = await findPrice(database, id);
    if (record) frozen.set(id, record);
    return record;
  }

  return {
    current: (subject) => current.getOrLoad(subject, look),
    get: (id) => frozen.get(id) ?? find(id),
    ensure: (tx, request) => ensurePrice(tx, { ...request, creditsPerUsd }),
    list: ({ prefix = "", after = null, count }) => listCurrentPrices(database, { prefix, after, count }),
    history: ({ subject, beforeVersion = null, count }) =>
      listPriceHistory(database, { subject, beforeVersion, count }),
    drop: (subject) => current.delete(subject),
  };
}

// Checked twice: usually nothing changes and no lock is needed; a caller that waited for the lock checks again.
async function ensurePrice(tx: Queryable, request: EnsuredPrice & { readonly creditsPerUsd: number }) {
  const validated = validatePrice(request.definition);
  if (!validated.ok) {
    const message = `The price of ${request.subject} is not valid: ${validated.problems.slice(0, 20).join(" ")}`;
    throw new Fault("invalid_request", message, { details: validated.problems });
  }
  const { subject, createdBy, creditsPerUsd } = request;
  const price = { definition: validated.definition, creditsPerUsd };
  const isSame = async () => isCurrentPrice(tx, { subject, price });
  let isNew = false;
  if (!(await isSame())) {
    await lockPrices(tx);
    isNew = !(await isSame());
    if (isNew) await insertPrice(tx, { id: newId<"price-record">(), subject, price, createdBy });
  }
  const record = await findCurrentPrice(tx, subject);
  if (!record) throw new Error(`The price of ${subject} was written but could not be found afterwards.`);
  return { record, isNew };
}
