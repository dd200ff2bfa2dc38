// Loaded into a server by NODE_OPTIONS: records every turn of its main thread that used much processor time. Processor
// time and not wall time: a busy machine makes everything late, but it does not make a turn do more. It does make the
// same work take longer, so a turn that may be too long is recorded with how slow the machine is just then. A timer of
// one millisecond looks at what the thread has used since it last fired, so a figure is one turn or a little more, never
// less.
import { appendFileSync, existsSync, rmSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { slowness, threadMs } from "./yardstick.ts";

const file = process.env["ATELIER_TEST_TURNS"];
const writtenFromMs = 5;
const comparedFromMs = 40;

if (isMainThread && file !== undefined) {
  // A first run compiles the code, so that later runs measure only the work.
  slowness();
  let before = threadMs();
  setInterval(() => {
    const used = threadMs() - before;
    if (used >= writtenFromMs)
      appendFileSync(file, `${used.toFixed(1)} ${used >= comparedFromMs ? slowness().toFixed(2) : 1}\n`);
    // turns.ts creates this file and waits until it is gone: by then every earlier turn is written down.
    if (existsSync(`${file}.mark`)) rmSync(`${file}.mark`);
    before = threadMs();
  }, 1).unref();
}
