// Holds the tests' PostgreSQL while standard input is open, so that it is not stopped and started again between two test
// processes:
//   node --conditions=atelier-source scripts/hold-test-postgres.ts
import { adminAddress } from "../packages/server/test/support/test-postgres-server.ts";

// There is nothing to hold if the tests were given a server; the tests themselves report a failed start.
await adminAddress().catch(() => {});
process.stdin.resume();
