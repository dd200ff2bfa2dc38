// `npm run torture -- migration`: a database of the version before migration 0035, brought up to date by the real command.
//   npm run torture -- migration --calls 200000
import { parseArgs } from "node:util";
import { carryOldDatabase } from "../packages/server/test/torture/old-database.ts";

const { values } = parseArgs({ options: { calls: { type: "string", default: "200000" } } });
const say = (line: string) => void process.stdout.write(`${line}\n`);

const { violations } = await carryOldDatabase({ calls: Number(values.calls), say });
for (const what of violations) say(`VIOLATION ${what}`);
say(violations.length === 0 ? "no violation" : `${violations.length} violations`);
process.exit(violations.length === 0 ? 0 : 1);
