// Loaded into a server by NODE_OPTIONS: writes down every turn of its main thread that used much processor time. Processor
// time and not time on the wall: a busy machine makes everything late, but it does not make a turn do more. A timer of one
// millisecond looks at what the thread has used since it last rang, so a figure is one turn or a little more, never less.
import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const file = process.env["ATELIER_TEST_TURNS"];
const writtenFromMs = 5;

if (isMainThread && file !== undefined) {
  let before = usedMs();
  setInterval(() => {
    const now = usedMs();
    if (now - before >= writtenFromMs) appendFileSync(file, `${(now - before).toFixed(1)}\n`);
    before = usedMs();
  }, 1).unref();
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
