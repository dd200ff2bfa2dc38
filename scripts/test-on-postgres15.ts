// Runs a command with the tests' database on Debian's PostgreSQL 15, the oldest version we support:
//   node --conditions=atelier-source scripts/test-on-postgres15.ts <node arguments…>
import { spawn } from "node:child_process";
import { startTestPostgres15 } from "../packages/server/test/support/test-postgres-server.ts";

const server = await startTestPostgres15();
if (server === undefined) {
  process.stderr.write("PostgreSQL 15 is not installed.\n");
  process.exit(1);
}
const child = spawn(process.execPath, process.argv.slice(2), {
  stdio: "inherit",
  env: { ...process.env, ATELIER_TEST_DATABASE_URL: server.adminUrl },
});
const code = await new Promise<number>((resolve) => child.once("exit", (status) => resolve(status ?? 1)));
await server.stop();
process.exit(code);
