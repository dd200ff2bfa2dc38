// The thread that reads large requests to partners: see read-request.ts.
import { BoundedMap } from "@atelier/engine/bounded-map";
import { bufferOf, serveThread } from "../../foundation/own-thread.ts";
import { type RequestReading, type RequestRules, readRequest } from "./read-request.ts";

export interface LargeRequestTask {
  // As JSON text: parsed once per text, and its schema is compiled once.
  readonly rulesText: string;
  readonly fingerprintHead: string;
  readonly bytes: Uint8Array;
}

const known = new BoundedMap<string, RequestRules>(1000);

function rulesOf(text: string): RequestRules {
  const rules: RequestRules = known.get(text) ?? JSON.parse(text);
  known.set(text, rules);
  return rules;
}

serveThread<LargeRequestTask, RequestReading>(({ rulesText, fingerprintHead, bytes }) =>
  readRequest(rulesOf(rulesText), fingerprintHead, bufferOf(bytes)),
);
