// `npm run torture -- migration`: a database of the version before migration 0035, brought up to date by the real command.
//   npm run torture -- migration --calls 200000
import { carryOldDatabase } from "../packages/server/test/torture/old-database.ts";
import { endRun, readNumbers, say } from "./torture-run.ts";

const { violations } = await carryOldDatabase({ ...readNumbers({ calls: 200_000 }), say });
endRun(violations);
