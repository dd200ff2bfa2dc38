// Reads the bodies of saves: small ones here, large ones in a thread, so that no other request waits for them.
import { ownEntry } from "@atelier/engine/own-code";
import type { Clock } from "../../foundation/clock.ts";
import { fairThreads, largeBytesMin } from "../../foundation/own-thread.ts";
import { type ReadSave, readSave } from "./read-save.ts";
import type { SaveTask } from "./read-save.worker.ts";

export interface SaveReader {
  // `flow`: whose body it is. Throws invalid_json.
  read(bytes: Buffer, flow: string): Promise<ReadSave>;
  close(): Promise<void>;
}

export function createSaveReader(clock: Clock): SaveReader {
  const threads = fairThreads<SaveTask, ReadSave>(ownEntry("./read-save.worker", import.meta.url), clock);
  return {
    read: async (bytes, flow) => (bytes.byteLength <= largeBytesMin ? readSave(bytes) : threads.run({ bytes }, flow)),
    close: () => threads.close(),
  };
}
