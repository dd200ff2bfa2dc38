// A form of these clients: fields become members, uploads become data URLs, and names that end with [] become lists.
import { Fault } from "../../foundation/fault.ts";
import type { Incoming } from "../../foundation/http/area.ts";
import { requireIdentityEncoding, requireMediaType } from "../../foundation/http/body/read-body.ts";
import type { OpenaiRequest } from "./openai-caller.ts";

const fieldsMax = 64;
// Fields of these endpoints that are numbers; a form has only texts.
const numbers: ReadonlySet<string> = new Set(["n", "output_compression", "partial_images"]);

export async function readForm(incoming: Incoming<unknown>): Promise<OpenaiRequest> {
  requireIdentityEncoding(incoming.headers);
  requireMediaType(incoming.headers, "multipart/form-data");
  const bytes = new Uint8Array(await incoming.bytes());
  const form = await new Response(bytes, { headers: { "content-type": incoming.headers["content-type"] ?? "" } })
    .formData()
    .catch((cause: unknown) => {
      throw new Fault("invalid_request", "The form cannot be read.", { cause });
    });
  const request: Record<string, unknown> = {};
  let count = 0;
  for (const [given, value] of form) {
    count += 1;
    if (count > fieldsMax) throw new Fault("invalid_request", `A form has at most ${fieldsMax} parts.`);
    const name = given.replace(/\[\d*\]$/, "");
    if (name === "__proto__") continue;
    const one = typeof value === "string" ? fieldValue(name, value) : await dataUrl(value);
    const before = request[name];
    request[name] =
      before === undefined && name === given
        ? one
        : [...(Array.isArray(before) ? before : before === undefined ? [] : [before]), one];
  }
  return request;
}

function fieldValue(name: string, text: string): unknown {
  if (numbers.has(name) && /^\d{1,9}$/.test(text)) return Number(text);
  return name === "stream" && (text === "true" || text === "false") ? text === "true" : text;
}

async function dataUrl(file: File): Promise<string> {
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : "application/octet-stream";
  return `data:${type};base64,${Buffer.from(await file.arrayBuffer()).toString("base64")}`;
}
