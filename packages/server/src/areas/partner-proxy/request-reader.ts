// Reads requests: small ones here, large ones in a thread (decisions, section 3: bodies above 256 KiB).
import { ownEntry } from "@atelier/engine/own-code";
import type { Clock } from "../../foundation/clock.ts";
import { fairThreads, largeBytesMin } from "../../foundation/own-thread.ts";
import { type RequestReading, type RequestRules, readRequest } from "./read-request.ts";
import type { LargeRequestTask } from "./read-request.worker.ts";

export interface RequestReader {
  // `flow`: whose request it is.
  read(
    rules: RequestRules,
    fingerprintHead: string,
    bytes: Buffer,
    flow: string,
  ): RequestReading | Promise<RequestReading>;
  close(): Promise<void>;
}

export function createRequestReader(clock: Clock): RequestReader {
  const entry = ownEntry("./read-request.worker", import.meta.url);
  const threads = fairThreads<LargeRequestTask, RequestReading>(entry, clock);
  return {
    read(rules, fingerprintHead, bytes, flow) {
      if (bytes.byteLength <= largeBytesMin) return readRequest(rules, fingerprintHead, bytes);
      return threads.run({ rulesText: JSON.stringify(rules), fingerprintHead, bytes }, flow);
    },
    close: () => threads.close(),
  };
}
