// One connection for long, ordered work such as migrations, backups and restores: no statement limit unless requested, no named
// prepared statements, and always closed at the end.
import type { Client } from "pg";
import { type ConnectionOptions, clientConfig, parseTimeLimits } from "./connection.ts";
import { type CopyOut, copyIn, copyOut } from "./copy.ts";
import { clientClassFor, countHosts } from "./hosts.ts";
import type { Queryable } from "./queryable.ts";
import type { Statement } from "./sql.ts";
import { queryableOn } from "./wire-query.ts";

export interface DedicatedConnection extends Queryable {
  // Runs a script of several statements unchanged.
  script(text: string): Promise<void>;
  copyOut(statement: Statement): CopyOut;
  copyIn(statement: Statement, source: AsyncIterable<Buffer>): Promise<number>;
  // Commits everything `run` does, or nothing.
  inTransaction<T>(begin: TransactionKind, run: () => Promise<T>): Promise<T>;
}

export type TransactionKind = "read write" | "snapshot";

// A snapshot sees the whole database at one moment, however long it takes, and blocks no one.
const beginTexts: Readonly<Record<TransactionKind, string>> = {
  "read write": "begin",
  snapshot: "begin isolation level repeatable read read only",
};

export async function withConnection<T>(
  options: ConnectionOptions,
  run: (connection: DedicatedConnection) => Promise<T>,
): Promise<T> {
  const acquireMs = Math.max(10_000, parseTimeLimits(options).acquireMs);
  const limits = { statementMs: 0, idleInTransactionMs: 0, lockMs: 0, acquireMs, ...options.limits };
  const client = await connected({ ...options, limits }, countHosts(options.connection));
  try {
    return await run(dedicated(client));
  } finally {
    await client.end();
  }
}

async function connected(options: ConnectionOptions, tries: number): Promise<Client> {
  const client = new (clientClassFor(options.connection))(clientConfig(options));
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    if (tries <= 1) throw error;
    return connected(options, tries - 1);
  }
}

function dedicated(client: Client): DedicatedConnection {
  return {
    ...queryableOn(client, false),
    async script(text) {
      await client.query(text);
    },
    copyOut: (statement) => copyOut(client, statement),
    copyIn: (statement, source) => copyIn(client, statement, source),
    async inTransaction(kind, run) {
      await client.query(beginTexts[kind]);
      try {
        const result = await run();
        await client.query("commit");
        return result;
      } catch (error) {
        await client.query("rollback").catch(() => {});
        throw error;
      }
    },
  };
}
