// Holds a pool whose child is stuck, so that a test can kill this process. Prints the child's process id. Its argument is the
// level of isolation.
import { openEnginePool } from "../../src/engine-pool.ts";
import { isolationLevels } from "../../src/isolation/levels.ts";
import { openIsolation } from "../../src/isolation/open-isolation.ts";

const level = isolationLevels.find((known) => known === process.argv[2]) ?? "process";
const isolation = await openIsolation(level);
if ("problem" in isolation) throw new Error(isolation.problem);
const pool = openEnginePool({ size: 1, isolation });
await pool.warm();
// Tries each of 250 parts at each of a million positions, so the child handles nothing else for many seconds.
const graph = {
  "1": {
    class_type: "RegexReplace",
    inputs: { string: "a".repeat(1_000_000), regex_pattern: "(?:a?){250}b", replace: "" },
  },
  "2": { class_type: "PreviewAny", inputs: { source: ["1", 0] } },
};
await pool.run(
  { id: "stuck", graph },
  {
    readAsset: () => Promise.reject(new Error("there is none")),
    callModel: () => Promise.reject(new Error("there is none")),
    saveOutput: async () => {},
    onEvent: (event) => {
      if (event.kind === "node_started") process.stdout.write(`${pool.processIds[0]}\n`);
    },
  },
);
