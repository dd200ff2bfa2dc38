// Starts router-ledger.ts on the gateway's core.
import { spawn } from "node:child_process";
import type { ConnectionSettings } from "../packages/server/src/foundation/database/connection.ts";
import { node, onServerCore } from "./processes.ts";
import type { LedgerTally } from "./router-ledger.ts";

export interface Ledger {
  // Calls per second.
  run(milliseconds: number): Promise<number>;
  end(): Promise<void>;
}

export async function startLedger(connection: ConnectionSettings): Promise<Ledger> {
  const command: readonly [string, ...string[]] = [...node("bench/router-ledger.ts"), JSON.stringify(connection)];
  const [program, ...words] = onServerCore(command);
  const child = spawn(program, words, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const next = () =>
    new Promise<number>((resolve, reject) => {
      const giveUp = setTimeout(() => reject(new Error("The ledger does not respond.")), 60_000);
      child.once("exit", () => reject(new Error("The ledger ended.")));
      child.once("message", (tally: LedgerTally) => {
        clearTimeout(giveUp);
        child.removeAllListeners("exit");
        resolve(tally.perSecond);
      });
    });
  await next();
  return {
    run(milliseconds) {
      const tally = next();
      child.send(milliseconds);
      return tally;
    },
    async end() {
      const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.disconnect();
      await Promise.race([ended, gone]);
    },
  };
}
