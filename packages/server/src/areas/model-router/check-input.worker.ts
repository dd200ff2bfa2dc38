// The thread that reads large bodies: strict parse, schema and fingerprint, so that 20 MiB never hold up the others.
// Only what the caller is told and what the price reads goes back.

import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { pricedInput } from "../../capabilities/prices/index.ts";
import { compileSchema } from "../../foundation/schema.ts";
import { checkInput } from "./check-input.ts";

export interface LargeInputTask {
  readonly id: number;
  // The model's definition as JSON text: compiled once per text.
  readonly definitionText: string;
  readonly fingerprintHead: string;
  readonly bytes: Uint8Array;
}

export type LargeInputResult = { readonly id: number; readonly fingerprint: Uint8Array } & (
  | { readonly ok: true; readonly document: unknown; readonly namesModel: boolean }
  | {
      readonly ok: false;
      readonly code: "invalid_json" | "validation_failed";
      readonly message: string;
      readonly details: unknown;
    }
);

type Definition = Parameters<typeof checkInput>[0]["definition"];

const compiled = new Map<string, Parameters<typeof checkInput>[0]>();

function modelOf(text: string): Parameters<typeof checkInput>[0] {
  const known = compiled.get(text);
  if (known) return known;
  const definition: Definition = JSON.parse(text);
  const model = {
    definition,
    schema: definition.input_schema === null ? null : compileSchema(definition.input_schema),
  };
  if (compiled.size > 1000) compiled.clear();
  compiled.set(text, model);
  return model;
}

parentPort?.on("message", (task: LargeInputTask) => {
  const bytes = Buffer.from(task.bytes.buffer, task.bytes.byteOffset, task.bytes.byteLength);
  const fingerprint = createHash("sha256").update(task.fingerprintHead).update(bytes).digest();
  const model = modelOf(task.definitionText);
  const verdict = checkInput(model, bytes);
  const result: LargeInputResult = verdict.ok
    ? {
        id: task.id,
        fingerprint,
        ok: true,
        document: pricedInput(model.definition.price, verdict.document),
        namesModel: verdict.namesModel,
      }
    : {
        id: task.id,
        fingerprint,
        ok: false,
        code: verdict.fault.code === "validation_failed" ? "validation_failed" : "invalid_json",
        message: verdict.fault.message,
        details: verdict.fault.details,
      };
  parentPort?.postMessage(result);
});
