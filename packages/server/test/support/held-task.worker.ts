// A thread whose tasks run until a test releases them, for fair-threads.test.ts.
import { serveThread } from "../../src/foundation/own-thread.ts";

export interface HeldTask {
  readonly name: string;
  // The task waits until the first number is not 0. The second becomes 1 when the task begins.
  readonly gate: Int32Array<SharedArrayBuffer>;
}

serveThread<HeldTask, string>(({ name, gate }) => {
  Atomics.store(gate, 1, 1);
  Atomics.notify(gate, 1);
  Atomics.wait(gate, 0, 0);
  return name;
});
