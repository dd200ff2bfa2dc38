// The ledger alone: begin + finish of paid calls under fresh keys, without HTTP and without a provider, on the same PostgreSQL
// that the gateway of this run uses. Its rate is the upper bound for every durable call.
//   The connection comes as JSON in the first argument; each message is a number of milliseconds to run.
import { callPlannerSettings } from "../packages/server/src/capabilities/calls/index.ts";
import { fundWallet } from "../packages/server/src/capabilities/calls/shared-sql.ts";
import { openDatabase } from "../packages/server/src/foundation/database/index.ts";
import { newId } from "../packages/server/src/foundation/ids.ts";
import { ending, opening, startCalls } from "./calls.ts";
import { addWorkspaces } from "./calls-store.ts";

export interface LedgerTally {
  readonly perSecond: number;
}

const callers = 32;

if (process.send) {
  const connection = JSON.parse(process.argv[2] ?? "{}");
  const database = openDatabase({ connection, poolSize: 6, readers: 1, settings: callPlannerSettings });
  const workspaceId = newId<"workspace">();
  await addWorkspaces(database, [workspaceId]);
  await fundWallet(database, { transactionId: newId(), workspaceId, amount: 1_000_000_000_000n });
  const calls = await startCalls(database);
  const beat = setInterval(() => void calls.start(), 5_000);

  process.on("message", async (milliseconds: number) => {
    const began = performance.now();
    let count = 0;
    const lane = async () => {
      while (performance.now() - began < milliseconds) {
        const begun = await calls.begin(opening(workspaceId));
        if (begun.kind !== "begun") throw new Error(`a call did not begin: ${begun.kind}`);
        await calls.finish(ending(begun.call));
        count += 1;
      }
    };
    await Promise.all(Array.from({ length: callers }, lane));
    process.send?.({ perSecond: count / ((performance.now() - began) / 1000) } satisfies LedgerTally);
  });
  process.on("disconnect", async () => {
    clearInterval(beat);
    await calls.close();
    await database.close();
    process.exit(0);
  });
  process.send({ perSecond: 0 } satisfies LedgerTally);
}
