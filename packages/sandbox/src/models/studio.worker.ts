// One thread of the studio: see studio.ts.
import { parentPort } from "node:worker_threads";
import { perform, type StudioReply, type StudioTask } from "./studio-task.ts";

parentPort?.on("message", (task: StudioTask) => {
  try {
    const bytes = perform(task);
    parentPort?.postMessage({ bytes } satisfies StudioReply, [bytes.buffer]);
  } catch (thrown) {
    parentPort?.postMessage({ failure: String(thrown) } satisfies StudioReply);
  }
});
