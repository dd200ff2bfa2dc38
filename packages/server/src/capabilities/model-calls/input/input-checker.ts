// Checks a body and computes its fingerprint: small ones here, large ones in a separate thread, whatever the model's
// encoding (decisions, section 3).
import { ownEntry } from "@atelier/engine/own-code";
import type { Clock } from "../../../foundation/clock.ts";
import { fingerprintHead, type RequestLine, requestFingerprint } from "../../../foundation/http/request-fingerprint.ts";
import { fairThreads, largeBytesMin } from "../../../foundation/own-thread.ts";
import type { CatalogModel } from "../catalog/catalog.ts";
import { checkInput, type InputVerdict, rejected } from "./check-input.ts";
import type { LargeInputResult, LargeInputTask } from "./check-input.worker.ts";

export interface CheckedInput {
  readonly verdict: InputVerdict;
  readonly fingerprint: Buffer;
}

export interface BodyRequest extends RequestLine {
  readonly bytes: Buffer;
}

export interface InputChecker {
  // Without a key no request is compared with another, so the fingerprint is empty. `flow` is whose request it is.
  check(
    model: CatalogModel,
    request: BodyRequest,
    isKeyed: boolean,
    flow: string,
  ): CheckedInput | Promise<CheckedInput>;
  close(): Promise<void>;
}

const noExactIntegers: ReadonlyMap<string, string> = new Map();
const noFingerprint = Buffer.alloc(0);

export function createInputChecker(clock: Clock): InputChecker {
  const entry = ownEntry("./check-input.worker", import.meta.url);
  const threads = fairThreads<LargeInputTask, LargeInputResult>(entry, clock);

  async function checkLarge(model: CatalogModel, request: BodyRequest, flow: string): Promise<CheckedInput> {
    const definitionText = JSON.stringify(model.definition);
    const task = { definitionText, fingerprintHead: fingerprintHead(request), bytes: request.bytes };
    const result = await threads.run(task, flow);
    const fingerprint = Buffer.from(result.fingerprint);
    if (!result.ok) return { fingerprint, verdict: rejected(result) };
    const { document, namesModel, form } = result;
    const verdict: InputVerdict = {
      ok: true,
      document,
      exactIntegers: noExactIntegers,
      namesModel,
      ...(form ? { form: { body: Buffer.from(form.body.buffer), contentType: form.contentType } } : {}),
    };
    return { fingerprint, verdict };
  }

  return {
    check(model, request, isKeyed, flow) {
      if (request.bytes.byteLength > largeBytesMin) return checkLarge(model, request, flow);
      return {
        verdict: checkInput(model, request.bytes),
        fingerprint: isKeyed ? requestFingerprint(fingerprintHead(request), request.bytes) : noFingerprint,
      };
    },
    close: () => threads.close(),
  };
}
