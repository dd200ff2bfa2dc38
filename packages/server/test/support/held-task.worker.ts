// A thread whose tasks last until a test lets them go: for fair-threads.test.ts.
import { serveThread } from "../../src/foundation/own-thread.ts";

export interface HeldTask {
  readonly name: string;
  // Waited for until its first number is not 0; the second is 1 from the moment at which the task is begun.
  readonly gate: Int32Array<SharedArrayBuffer>;
}

serveThread<HeldTask, string>(({ name, gate }) => {
  Atomics.store(gate, 1, 1);
  Atomics.notify(gate, 1);
  Atomics.wait(gate, 0, 0);
  return name;
});
