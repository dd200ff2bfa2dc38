// Starts router-ledger.ts on the gateway's core.
import { once } from "node:events";
import type { ConnectionSettings } from "../packages/server/src/foundation/database/connection.ts";
import { answerOf, spawnChild } from "./children.ts";
import { node, onServerCore } from "./processes.ts";
import type { LedgerTally } from "./router-ledger.ts";

export interface Ledger {
  // Calls per second.
  run(milliseconds: number): Promise<number>;
  end(): Promise<void>;
}

export async function startLedger(connection: ConnectionSettings): Promise<Ledger> {
  const child = spawnChild(onServerCore([...node("bench/router-ledger.ts"), JSON.stringify(connection)]));
  const ended = once(child, "exit");
  const ask = (milliseconds?: number) => answerOf<LedgerTally>(child, 60_000, milliseconds);
  await ask();
  return {
    run: async (milliseconds) => (await ask(milliseconds)).perSecond,
    async end() {
      child.disconnect();
      await ended;
    },
  };
}
