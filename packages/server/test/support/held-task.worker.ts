// A thread whose tasks last until a test lets them go: for fair-threads.test.ts.
import { serveThread } from "../../src/foundation/own-thread.ts";

export interface HeldTask {
  readonly name: string;
  // Waited for until its first number is not 0.
  readonly gate: Int32Array<SharedArrayBuffer>;
}

serveThread<HeldTask, string>(({ name, gate }) => {
  Atomics.wait(gate, 0, 0);
  return name;
});
