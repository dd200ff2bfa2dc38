// The only way to PostgreSQL. Single reads share pipelined connections; everything else, and every transaction, gets a pooled
// connection to itself. Nothing waits longer than its time limit: when the database is down, callers get a Fault with
// Retry-After, never a hanging request.
import { Pool, type PoolClient, type QueryConfig, type QueryResult } from "pg";
import { type Clock, systemClock } from "../clock.ts";
import { Fault } from "../fault.ts";
import { type Log, silentLog } from "../log.ts";
import { type ConnectionOptions, clientConfig, parseTimeLimits, silenceMsMax } from "./connection.ts";
import {
  CommitUnknown,
  databaseBusy,
  databaseUnavailable,
  isBusy,
  isConnectionLoss,
  isReadOnlyServer,
  isStalePlan,
} from "./database-errors.ts";
import { clientClassFor, countHosts } from "./hosts.ts";
import { sendLargeValuesAsTheyAre } from "./large-values.ts";
import { type PipelinedReaders, pipelinedReaders } from "./pipelined-readers.ts";
import { isPlainRead } from "./plain-read.ts";
import type { Queryable } from "./queryable.ts";
import type { Statement } from "./sql.ts";
import { beginWith, runTransaction } from "./transaction.ts";
import { wireQuery } from "./wire-query.ts";

export type { Queryable } from "./queryable.ts";

export interface Database extends Queryable {
  transaction<T>(run: (tx: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions extends ConnectionOptions {
  readonly poolSize?: number;
  // Pipelined connections for single reads. With 0, everything goes through the pool.
  readonly readers?: number;
  readonly log?: Log;
  readonly clock?: Clock;
}

export function openDatabase(options: DatabaseOptions): Database {
  const log = options.log ?? silentLog;
  const named = !options.behindPooler;
  const pool = openPool(options, log);
  const readerCount = options.behindPooler ? 0 : (options.readers ?? 2);
  const readers = readerCount > 0 ? pipelinedReaders({ ...options, count: readerCount, log }) : undefined;
  const { acquireMs } = parseTimeLimits(options);
  const tries = countHosts(options.connection);
  const acquire = () => acquireFrom(pool, acquireMs, tries);
  const begin = options.behindPooler ? beginWith(parseTimeLimits(options), options.settings) : undefined;
  const single = (statement: Statement) => runSingle({ readers, acquire, named, begin }, statement);
  const transactionDeps = { acquire, clock: options.clock ?? systemClock, named, begin };
  let closed: Promise<void> | undefined;
  return {
    query: async (statement) => (await single(statement)).rows,
    execute: async (statement) => (await single(statement)).rowCount ?? 0,
    transaction: (run) => runTransaction(transactionDeps, run).catch(throwAsBusy),
    close() {
      closed ??= Promise.all([readers?.close(), pool.end()]).then(() => undefined);
      return closed;
    },
  };
}

function openPool(options: DatabaseOptions, log: Log): Pool {
  const pool = new Pool({
    ...clientConfig(options),
    max: options.poolSize ?? 10,
    idleTimeoutMillis: 30_000,
    query_timeout: silenceMsMax(options),
    pipeline: true,
    allowExitOnIdle: true,
    Client: clientClassFor(options.connection),
  });
  // Without these two listeners, a server that goes away would crash our process.
  // The error carries the whole client, so log only its message. Errors during shutdown are expected.
  pool.on("error", (error) => {
    if (!pool.ending) log.warn({ reason: error.message }, "an idle database connection broke");
  });
  pool.on("connect", (client) => {
    client.on("error", () => {});
    sendLargeValuesAsTheyAre(client);
  });
  return pool;
}

async function acquireFrom(pool: Pool, acquireMs: number, tries: number): Promise<PoolClient> {
  try {
    if (pool.idleCount > pool.waitingCount) return await pool.connect();
    return await withinTime(pool.connect(), acquireMs);
  } catch (error) {
    // The next server may be the writable one.
    if (tries > 1 && isConnectionLoss(error)) return acquireFrom(pool, acquireMs, tries - 1);
    if (error instanceof Error && error.message.startsWith("timeout exceeded")) throw databaseBusy(error);
    throw isConnectionLoss(error) ? databaseUnavailable(error) : error;
  }
}

// A caller that has waited long enough gives up. The connection, when it arrives, goes to the next caller.
async function withinTime(coming: Promise<PoolClient>, acquireMs: number): Promise<PoolClient> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Error("timeout exceeded when trying to connect"));
    coming.then(
      (client) => client.release(),
      () => undefined,
    );
  }, acquireMs);
  try {
    return await Promise.race([coming, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

interface SingleDeps {
  readonly readers: PipelinedReaders | undefined;
  acquire(): Promise<PoolClient>;
  readonly named: boolean;
  readonly begin: string | undefined;
}

async function runSingle(deps: SingleDeps, statement: Statement): Promise<QueryResult> {
  const reader = deps.readers && isPlainRead(statement) ? deps.readers.take() : undefined;
  try {
    return reader ? await reader.query(statement) : await runPooled(deps, statement);
  } catch (error) {
    // It was refused before it ran, so running it again is safe. Unnamed, it cannot be stale.
    if (isStalePlan(error)) return runPooled({ ...deps, named: false }, statement).catch(rethrowPlainly);
    return rethrowPlainly(error);
  }
}

// A single statement is its own transaction: if its answer is lost, we do not know whether it was done.
async function runPooled(deps: SingleDeps, statement: Statement): Promise<QueryResult> {
  const query = wireQuery(statement, deps.named);
  const client = await deps.acquire();
  let spoiled: Error | undefined;
  try {
    return await (deps.begin === undefined ? client.query(query) : within(client, deps.begin, query));
  } catch (error) {
    if (isConnectionLoss(error) || isStalePlan(error)) spoiled = new Error("connection given up");
    if (isReadOnlyServer(error)) throw databaseUnavailable(error);
    throw isConnectionLoss(error) ? new CommitUnknown(error) : error;
  } finally {
    client.release(spoiled);
  }
}

// A single statement behind a pooler: limits and settings apply to its transaction, and all three commands are sent together.
// If BEGIN were refused, the statement would be its own transaction, as it is elsewhere.
async function within(client: PoolClient, begin: string, query: QueryConfig): Promise<QueryResult> {
  const sent = [client.query(begin), client.query(query), client.query("commit")] as const;
  const [begun, ran, ended] = await Promise.allSettled(sent);
  if (ran.status === "rejected") throw ran.reason;
  if (ended.status === "rejected") throw ended.reason;
  if (begun.status === "rejected") throw begun.reason;
  return ran.value;
}

function rethrowPlainly(error: unknown): never {
  if (error instanceof Fault) throw error;
  if (isConnectionLoss(error)) throw databaseUnavailable(error);
  return throwAsBusy(error);
}

// The server timed out or is out of resources. Nothing was done, and a later attempt may succeed.
function throwAsBusy(error: unknown): never {
  if (isBusy(error)) throw databaseBusy(error);
  throw error;
}
