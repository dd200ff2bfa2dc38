// The thread that reads large bodies: strict parse, schema and fingerprint. This way 20 MiB never block other requests. It
// returns only the answer for the caller, what the price reads and, if the provider does not take JSON, the finished form.

import { BoundedMap } from "@atelier/engine/bounded-map";
import { requestFingerprint } from "../../../foundation/http/request-fingerprint.ts";
import { compileSchema } from "../../../foundation/json/schema.ts";
import { bufferOf, serveThread } from "../../../foundation/own-thread.ts";
import { pricedInput } from "../../prices/index.ts";
import { buildInputSchema, encodeForm, type FormBody } from "../../providers/index.ts";
import { checkInput, type Rejection, rejectionOf } from "./check-input.ts";

export interface LargeInputTask {
  // The model's definition as JSON text, compiled once per text.
  readonly definitionText: string;
  readonly fingerprintHead: string;
  readonly bytes: Uint8Array;
}

export type LargeInputResult = { readonly fingerprint: Uint8Array } & (
  | {
      readonly ok: true;
      readonly document: unknown;
      readonly namesModel: boolean;
      readonly form: { readonly body: Uint8Array; readonly contentType: string } | null;
    }
  | ({ readonly ok: false } & Rejection)
);

type Model = Parameters<typeof checkInput>[0];

const compiled = new BoundedMap<string, Model>(1000);

function modelOf(text: string): Model {
  const known = compiled.get(text);
  if (known) return known;
  const definition: Model["definition"] = JSON.parse(text);
  const schema = definition.input_schema === null ? null : compileSchema(buildInputSchema(definition));
  const model = { definition, schema };
  compiled.set(text, model);
  return model;
}

serveThread<LargeInputTask, LargeInputResult>((task) => {
  const bytes = bufferOf(task.bytes);
  const fingerprint = requestFingerprint(task.fingerprintHead, bytes);
  const { definition, ...model } = modelOf(task.definitionText);
  const verdict = checkInput({ definition, ...model }, bytes);
  if (!verdict.ok) return { fingerprint, ok: false, ...rejectionOf(verdict) };
  const isForm = definition.submit.encoding === "multipart";
  return {
    fingerprint,
    ok: true,
    document: pricedInput(definition.price, verdict.document),
    namesModel: verdict.namesModel,
    form: isForm ? shared(encodeForm(definition, verdict.document, verdict.exactIntegers)) : null,
  };
});

// In shared memory, so that 20 MiB are not copied on the way back.
function shared({ body, contentType }: FormBody): { body: Uint8Array; contentType: string } {
  const bytes = new Uint8Array(new SharedArrayBuffer(body.byteLength));
  bytes.set(body);
  return { body: bytes, contentType };
}
