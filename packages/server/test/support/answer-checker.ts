// Checks that an answer matches its operation in the served OpenAPI document: status, content type and body. Bodies are
// checked by a second implementation of JSON Schema, so that ours does not judge itself.
import assert from "node:assert/strict";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Json, Operation } from "@atelier/contract";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { type AppAnswer, headerOf, memberOf } from "./app-client.ts";

export type CheckAnswer = (operation: Operation, answer: AppAnswer) => void;

const formats: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/,
  "uri-reference": /^\S*$/,
};

export function answerChecker(document: Json): CheckAnswer {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
  // 64-bit integers are checked by their digits elsewhere.
  ajv.addFormat("int64", true);
  assert.ok(typeof document === "object" && document !== null && !Array.isArray(document));
  ajv.addSchema({ $id: "atelier", ...document });
  const compiled = new Map<string, ValidateFunction>();
  // Cached by the schema's text: most operations share one schema for most refusals, and compiling it is slow.
  const validatorAt = (...names: readonly string[]): ValidateFunction => {
    const schema = names.reduce<unknown>((at, name) => memberOf(at, name), document);
    const text = JSON.stringify(schema);
    const known = compiled.get(text) ?? ajv.compile(JSON.parse(text.replaceAll('"#/', '"atelier#/')));
    compiled.set(text, known);
    return known;
  };
  return (operation, answer) => {
    const what = `${operation.id} answering ${answer.status} ${answer.text.slice(0, 300)}`;
    const shape = operation.answers[answer.status];
    assert.ok(shape, `${operation.id} does not declare ${answer.status}: ${answer.text.slice(0, 300)}`);
    // A protocol's headers are part of the contract.
    for (const name of Object.keys(answer.headers).filter((one) => /^(?:tus|upload)-/.test(one)))
      assert.ok(isAmong(shape.headers ?? [], name), `${what} carries ${name}, which is not declared`);
    if (shape.schema === undefined) {
      assert.equal(answer.bytes.length, 0, what);
      return;
    }
    const type = headerOf(answer, "content-type") ?? "";
    const declared = shape.contentType ?? "application/json";
    const isDeclared = [declared, ...(shape.otherContentTypes ?? []), ...(shape.bytesContentTypes ?? [])].some(
      (one) => type === one || type.startsWith(`${one};`) || (one.endsWith("/*") && type.startsWith(one.slice(0, -1))),
    );
    assert.ok(isDeclared, `${what} comes as ${type}`);
    if (!["application/json", "text/event-stream"].includes(declared) || !type.startsWith(declared)) return;
    const answers = ["paths", operation.path, operation.method.toLowerCase(), "responses", String(answer.status)];
    const accepts = validatorAt(...answers, "content", declared, "schema");
    const values = declared === "text/event-stream" ? framesIn(answer.text) : [JSON.parse(plainText(answer))];
    for (const value of values) assert.ok(accepts(value), `${what}: ${JSON.stringify(accepts.errors)}`);
  };
}

const isAmong = (names: readonly string[], name: string) => names.some((one) => one.toLowerCase() === name);

// Each frame as the document describes it: event and id lines, and the data line as JSON. Lines that begin with a colon
// are keep-alives, not frames.
function framesIn(text: string): readonly unknown[] {
  const frames = text
    .split("\n\n")
    .map((frame) => frame.split("\n").filter((line) => /^(?:event|id|data):/.test(line)));
  return frames
    .filter((lines) => lines.length > 0)
    .map((lines) =>
      Object.fromEntries(
        lines.map((line) => {
          const name = line.slice(0, line.indexOf(":"));
          const value = line.slice(line.indexOf(":") + 1).trimStart();
          return [name, name === "data" ? JSON.parse(value) : value];
        }),
      ),
    );
}

function plainText(answer: AppAnswer): string {
  const coding = headerOf(answer, "content-encoding");
  if (coding === "gzip") return gunzipSync(answer.bytes).toString();
  return coding === "br" ? brotliDecompressSync(answer.bytes).toString() : answer.text;
}
