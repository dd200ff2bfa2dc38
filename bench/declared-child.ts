// Reads the node classes of a folder in a fresh process, as a start does, and says what it cost.
//   node --expose-gc bench/declared-child.ts shipped|own <folder>
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { classSet } from "@atelier/engine";
import { readNodes } from "../packages/server/src/capabilities/partner-nodes/index.ts";

const [way, folder = ""] = process.argv.slice(2);
const files = readdirSync(folder).map((file) => join(folder, file));
// Buffers are freed one collection after their owner.
const held = async () => {
  for (let turn = 0; turn < 3; turn++) {
    globalThis.gc?.();
    await nextTurn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const before = await held();
const cpu = process.cpuUsage();
const set = classSet(await (way === "own" ? readNodes(files, join(folder, "none")) : readNodes([], folder)));
const { user, system } = process.cpuUsage(cpu);
const megabytes = ((await held()) - before) / 1e6;
process.stdout.write(JSON.stringify({ milliseconds: (user + system) / 1000, megabytes, names: set.names.length }));
