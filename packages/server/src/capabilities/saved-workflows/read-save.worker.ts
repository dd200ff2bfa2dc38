// The thread that reads large saves: see save-reader.ts.
import { bufferOf, serveThread } from "../../foundation/own-thread.ts";
import { type ReadSave, readSave } from "./read-save.ts";

export interface SaveTask {
  readonly bytes: Uint8Array;
}

serveThread<SaveTask, ReadSave>(({ bytes }) => readSave(bufferOf(bytes)));
