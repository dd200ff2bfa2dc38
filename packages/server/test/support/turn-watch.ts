// Loaded into a server by NODE_OPTIONS: writes down every turn of its main thread that used much processor time. Processor
// time and not time on the wall: a busy machine makes everything late, but it does not make a turn do more. It does make the
// same work take longer, so beside a turn that may be too long stands how slow the machine is just then. A timer of one
// millisecond looks at what the thread has used since it last rang, so a figure is one turn or a little more, never less.
import { appendFileSync, existsSync, rmSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { slowness, threadMs } from "./yardstick.ts";

const file = process.env["ATELIER_TEST_TURNS"];
const writtenFromMs = 5;
const comparedFromMs = 40;

if (isMainThread && file !== undefined) {
  // What runs for the first time is compiled meanwhile.
  slowness();
  let before = threadMs();
  setInterval(() => {
    const used = threadMs() - before;
    if (used >= writtenFromMs)
      appendFileSync(file, `${used.toFixed(1)} ${used >= comparedFromMs ? slowness().toFixed(2) : 1}\n`);
    // Laid there by turns.ts, which waits until it is gone: then every turn before is written down.
    if (existsSync(`${file}.mark`)) rmSync(`${file}.mark`);
    before = threadMs();
  }, 1).unref();
}
