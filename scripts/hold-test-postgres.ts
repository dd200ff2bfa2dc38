// Holds the tests' PostgreSQL for as long as standard input is open, so that it is not stopped and started again between
// two test processes:
//   node --conditions=atelier-source scripts/hold-test-postgres.ts
import { adminAddress } from "../packages/server/test/support/test-postgres-server.ts";

// Nothing to hold where the tests are given a server of their own; a failed start is told by the tests themselves.
await adminAddress().catch(() => {});
process.stdin.resume();
