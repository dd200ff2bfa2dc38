// Checks a body and takes its fingerprint: small ones here, large ones (above 256 KiB) in a thread of their own
// (decisions, section 3). The thread is started when the first large body comes and made anew when it dies.
import type { Worker } from "node:worker_threads";
import { ownEntry, startThread } from "@atelier/engine/own-code";
import { Fault } from "../../foundation/fault.ts";
import type { CatalogModel } from "./catalog.ts";
import { checkInput, type InputVerdict } from "./check-input.ts";
import type { LargeInputResult, LargeInputTask } from "./check-input.worker.ts";
import { type FingerprintedRequest, fingerprintHead, fingerprintOf } from "./idempotency-key.ts";

export interface CheckedInput {
  readonly verdict: InputVerdict;
  readonly fingerprint: Buffer;
}

export interface InputChecker {
  // Without a key nobody asks whether it is the same request: the fingerprint is empty then.
  check(model: CatalogModel, request: FingerprintedRequest, isKeyed: boolean): CheckedInput | Promise<CheckedInput>;
  close(): Promise<void>;
}

export const largeBytesMin = 256 * 1024;
const noExactIntegers: ReadonlyMap<string, string> = new Map();
const noFingerprint = Buffer.alloc(0);

export function createInputChecker(): InputChecker {
  const waiting = new Map<number, { resolve(result: LargeInputResult): void; reject(error: Error): void }>();
  let worker: Worker | null = null;
  let lastId = 0;

  function thread(): Worker {
    if (worker) return worker;
    const started = startThread(ownEntry("./check-input.worker", import.meta.url));
    started.on("message", (result: LargeInputResult) => {
      waiting.get(result.id)?.resolve(result);
      waiting.delete(result.id);
    });
    const die = (error: Error) => {
      worker = null;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on("error", die);
    started.on("exit", () => die(new Error("the thread for large bodies ended")));
    worker = started;
    return started;
  }

  async function checkLarge(model: CatalogModel, request: FingerprintedRequest): Promise<CheckedInput> {
    const id = ++lastId;
    const task: LargeInputTask = {
      id,
      definitionText: JSON.stringify(model.definition),
      fingerprintHead: fingerprintHead(request),
      bytes: request.bytes,
    };
    const result = await new Promise<LargeInputResult>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      thread().postMessage(task);
    });
    const fingerprint = Buffer.from(result.fingerprint);
    if (result.ok)
      return {
        fingerprint,
        verdict: { ok: true, document: result.document, exactIntegers: noExactIntegers, namesModel: result.namesModel },
      };
    return {
      fingerprint,
      verdict: { ok: false, fault: new Fault(result.code, result.message, { details: result.details }) },
    };
  }

  return {
    check(model, request, isKeyed) {
      // A multipart provider needs the whole document here; such bodies are small by nature.
      const isLarge = request.bytes.byteLength > largeBytesMin && model.definition.submit.encoding === "json";
      if (isLarge) return checkLarge(model, request);
      return {
        verdict: checkInput(model, request.bytes),
        fingerprint: isKeyed ? fingerprintOf(request) : noFingerprint,
      };
    },
    async close() {
      await worker?.terminate();
    },
  };
}
