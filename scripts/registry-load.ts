// `npm run registry:load`: fills the registry of a database with generated nodes and versions, the same ones every time.
//   DATABASE_URL=postgres://… npm run registry:load -- --nodes 20000 --versions 10
import { parseArgs } from "node:util";
import { fillRegistry } from "../bench/registry-store.ts";
import { openDatabase } from "../packages/server/src/foundation/database/index.ts";
import { silentLog } from "../packages/server/src/foundation/log.ts";

const { values } = parseArgs({
  options: {
    nodes: { type: "string", default: "20000" },
    versions: { type: "string", default: "10" },
    database: { type: "string", default: process.env["DATABASE_URL"] ?? "" },
  },
});
const [nodes, versionsPerNode] = [Number(values.nodes), Number(values.versions)];
const say = (line: string) => void process.stdout.write(`${line}\n`);
if (values.database === "" || !(nodes > 0) || !(versionsPerNode > 0 && versionsPerNode < 4096)) {
  say("Pass a migrated database with --database postgres://… or DATABASE_URL; --nodes and --versions are counts.");
  process.exit(2);
}
const database = openDatabase({ connection: values.database, poolSize: 2, log: silentLog });
try {
  const filled = await fillRegistry(database, { nodes, versionsPerNode, say });
  say(`The registry contains ${filled.nodes} nodes and ${filled.versions} versions.`);
} finally {
  await database.close();
}
