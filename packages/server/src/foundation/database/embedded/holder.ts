// A connection that marks this process as a user of the server.
import { Socket } from "node:net";
import { Client } from "pg";
import { type ConnectionSettings, clientConfig } from "../connection.ts";
import { errorCode, isConnectionLoss } from "../database-errors.ts";
import { queryableOn } from "../wire-query.ts";
import { enterAsHolder, holderName, leaveAsHolder } from "./holders-store.ts";

export interface Holder {
  readonly client: Client;
  // Resolves when the connection is gone, for any reason.
  readonly lost: Promise<void>;
  // From now on, this connection alone does not keep our process alive.
  rest(): void;
  // Gives up the hold. "last" means that no other process has one, and none can enter until this connection is closed.
  leave(): Promise<"last" | "others stay">;
  close(): Promise<void>;
}

// Undefined if there is no listener, or the server is starting or stopping; "recovering" if the server says so.
export async function takeHold(connection: ConnectionSettings): Promise<Holder | "recovering" | undefined> {
  const limits = { statementMs: 0, lockMs: 0, idleInTransactionMs: 0, acquireMs: 5_000 };
  const settings = { connection: { ...connection, database: "postgres" }, applicationName: holderName, limits };
  const socket = new Socket();
  const client = new Client({ ...clientConfig(settings), stream: () => socket });
  client.on("error", () => {});
  const lost = new Promise<void>((resolve) => client.once("end", () => resolve()));
  const db = queryableOn(client, false);
  try {
    await client.connect();
    await enterAsHolder(db);
  } catch (error) {
    await client.end().catch(() => {});
    if (errorCode(error) === "57P03") return "recovering";
    if (isConnectionLoss(error)) return undefined;
    throw error;
  }
  return {
    client,
    lost,
    rest: () => void socket.unref(),
    async leave() {
      socket.ref();
      return (await leaveAsHolder(db)) === 0 ? "last" : "others stay";
    },
    async close() {
      socket.ref();
      await client.end();
    },
  };
}
