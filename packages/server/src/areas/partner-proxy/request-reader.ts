// Reads requests: small ones here, large ones in a thread (decisions, section 3: bodies above 256 KiB).
import { ownEntry } from "@atelier/engine/own-code";
import { largeBytesMin, ownThread } from "../../foundation/own-thread.ts";
import { type RequestReading, type RequestRules, readRequest } from "./read-request.ts";
import type { LargeRequestTask } from "./read-request.worker.ts";

export interface RequestReader {
  read(rules: RequestRules, fingerprintHead: string, bytes: Buffer): RequestReading | Promise<RequestReading>;
  close(): Promise<void>;
}

export function createRequestReader(): RequestReader {
  const thread = ownThread<LargeRequestTask, RequestReading>(ownEntry("./read-request.worker", import.meta.url));
  return {
    read(rules, fingerprintHead, bytes) {
      if (bytes.byteLength <= largeBytesMin) return readRequest(rules, fingerprintHead, bytes);
      return thread.run({ rulesText: JSON.stringify(rules), fingerprintHead, bytes });
    },
    close: () => thread.close(),
  };
}
