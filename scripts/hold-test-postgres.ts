// Holds the tests' PostgreSQL while standard input is open, so that it is not stopped and started again between two test
// processes, and then prints how many seconds of processor time it used meanwhile:
//   node --conditions=atelier-source scripts/hold-test-postgres.ts
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { adminAddress, sharedFolder } from "../packages/server/test/support/test-postgres-server.ts";

// There is nothing to hold if the tests were given a server; the tests themselves report a failed start.
await adminAddress().catch(() => {});
const from = await usedSeconds();
process.stdin.resume().once("end", async () => {
  process.stdout.write((((await usedSeconds()) ?? 0) - (from ?? 0)).toFixed(2));
});

// Of the server and of its connections that have ended. Undefined where the system does not count it.
async function usedSeconds(): Promise<number | undefined> {
  try {
    const [pid] = readFileSync(join(await sharedFolder(), "postgres/postmaster.pid"), "utf8").split("\n");
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const ticks = fields.split(" ").slice(11, 15);
    return ticks.reduce((sum, one) => sum + Number(one), 0) / 100;
  } catch {
    return undefined;
  }
}
