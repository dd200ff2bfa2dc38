// One transaction on its own connection. If PostgreSQL aborts it in favour of another (deadlock, serialization), it runs again,
// up to five times with a growing random pause. So `run` may be called several times and must not act outside the database.
// Reliability 3.0, rule 5: a lost answer to COMMIT is neither success nor failure.
import type { PoolClient } from "pg";
import type { Clock } from "../clock.ts";
import type { TimeLimits } from "./connection.ts";
import {
  CommitUnknown,
  databaseUnavailable,
  isConnectionLoss,
  isReadOnlyServer,
  isStalePlan,
  isWorthRetrying,
} from "./database-errors.ts";
import type { Queryable } from "./queryable.ts";
import type { Statement } from "./sql.ts";
import { queryableOn } from "./wire-query.ts";

export const retriesMax = 5;

export interface TransactionDeps {
  acquire(): Promise<PoolClient>;
  readonly clock: Clock;
  readonly named: boolean;
  // Set if the connection itself cannot carry limits and settings (behind a pooler).
  readonly begin: string | undefined;
}

export async function runTransaction<T>(deps: TransactionDeps, run: (tx: Queryable) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await attemptOnce(deps, run);
    } catch (error) {
      if (attempt >= retriesMax || !(isWorthRetrying(error) || isStalePlan(error))) throw error;
      await deps.clock.sleep(Math.random() * 10 * 2 ** attempt);
    }
  }
}

async function attemptOnce<T>(deps: TransactionDeps, run: (tx: Queryable) => Promise<T>): Promise<T> {
  const client = await deps.acquire();
  const statements = queryableOn(client, deps.named);
  let spoiled: Error | undefined;
  try {
    const begun = client.query(deps.begin ?? "begin").catch(throwAsLoss);
    if (deps.begin !== undefined) await begun;
    const result = await run(inside(statements, begun));
    await begun;
    statements.end();
    await commit(client);
    return result;
  } catch (error) {
    statements.end();
    spoiled = await rollBack(client, error);
    throw error;
  } finally {
    client.release(spoiled);
  }
}

// BEGIN with the limits and settings of the transaction. The names and values are ours, never a caller's.
export function beginWith(limits: TimeLimits, settings: Readonly<Record<string, string>> = {}): string {
  const all = {
    statement_timeout: String(limits.statementMs),
    lock_timeout: String(limits.lockMs),
    idle_in_transaction_session_timeout: String(limits.idleInTransactionMs),
    ...settings,
  };
  return ["begin", ...Object.entries(all).map(([name, value]) => `set local ${name} = ${value}`)].join("; ");
}

async function commit(client: PoolClient): Promise<void> {
  let command: string;
  try {
    command = (await client.query("commit")).command;
  } catch (error) {
    throw isConnectionLoss(error) ? new CommitUnknown(error) : error;
  }
  // A statement failed and its error was swallowed: PostgreSQL answers COMMIT with ROLLBACK and no error.
  if (command === "ROLLBACK") throw new Error("The transaction was rolled back: a statement in it had failed.");
}

// The connection returns to the pool only if we know that it is clean.
async function rollBack(client: PoolClient, reason: unknown): Promise<Error | undefined> {
  if (reason instanceof CommitUnknown) return new Error("connection lost");
  try {
    await client.query("rollback");
  } catch {
    return new Error("rollback failed");
  }
  // The next connection may lead to the server that took over.
  if (reason instanceof Error && isReadOnlyServer(reason.cause)) return new Error("the server is read-only");
  return isStalePlan(reason) ? new Error("stale prepared statement") : undefined;
}

// If the connection is lost before COMMIT was sent, nothing was done. We conclude that only from errors of these statements;
// whatever else `run` does can fail with the same codes. A statement that could change something is sent only after BEGIN was
// answered, because if BEGIN failed the statement would run on its own. Reads and locks follow BEGIN immediately, which saves a
// round trip. Statements are always sent in the order of the calls.
function inside(statements: Queryable, begun: Promise<unknown>): Queryable {
  let hasBegun = false;
  let mayGoBehind = true;
  begun.then(
    () => (hasBegun = true),
    () => undefined,
  );
  // Statements that wait for BEGIN are sent before those that arrive after its answer, because this was the first to await it.
  const inTurn = <T>({ text }: Statement, send: () => Promise<T>): Promise<T> => {
    mayGoBehind &&= startsAsRead.test(text);
    return (hasBegun || mayGoBehind ? send() : begun.then(send)).catch(throwAsLoss);
  };
  return {
    query: (statement) => inTurn(statement, () => statements.query<never>(statement)),
    execute: (statement) => inTurn(statement, () => statements.execute(statement)),
  };
}

// `with` can contain an INSERT; a SELECT cannot.
const startsAsRead = /^\s*select\b/i;

function throwAsLoss(error: unknown): never {
  throw isConnectionLoss(error) ? databaseUnavailable(error) : error;
}
