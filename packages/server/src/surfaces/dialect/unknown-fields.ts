// The query `reject_unknown_fields` of the public router: refuses a member of the body that the model's schema does not
// declare, instead of passing it on. Checks only the outermost members, and refuses nothing if the schema allows further
// members or there is none.
import { Fault } from "../../foundation/fault.ts";
import type { Incoming, Route } from "../../foundation/http/area.ts";
import { isRecord, type JsonRecord } from "../../foundation/json/json-record.ts";

const name = "reject_unknown_fields";
// The body is parsed a second time for this, in the turn of its request.
const bytesMax = 1024 * 1024;

export async function refuseUnknownFields(
  incoming: Incoming<unknown>,
  routes: readonly Route<unknown>[],
): Promise<void> {
  if (!isAskedFor(incoming.query)) return;
  // If-None-Match belongs to a read; this is not one.
  delete incoming.headers["if-none-match"];
  const detail = await readBy("getModel", incoming, routes);
  // There is no schema for it.
  if (detail["input_schema_url"] === undefined) return;
  const declared = declaredIn(inputSchemaIn(await readBy("getInputSchema", incoming, routes)));
  if (declared === null) return;
  const bytes = await incoming.bytes();
  if (bytes.byteLength > bytesMax) throw refusal(`${name}=true is offered for bodies of at most 1 MiB.`);
  const unknown = Object.keys(membersIn(bytes)).filter((member) => !declared.has(member));
  if (unknown.length === 0) return;
  const details = unknown.slice(0, 1000).map((member) => ({
    loc: ["body", member],
    msg: "Field is not declared by this model",
    type: "extra_forbidden",
  }));
  throw new Fault("validation_failed", "The input was rejected.", { details });
}

const refusal = (problem: string) => new Fault("invalid_request", `The request is not valid: ${problem}`);

function isAskedFor(query: URLSearchParams): boolean {
  const given = query.getAll(name).map((value) => value.toLowerCase());
  if (given.length === 0) return false;
  if (given.length > 1 || !["true", "false"].includes(given[0] ?? "")) throw refusal(`${name} must be true or false.`);
  return given[0] === "true";
}

// The answer of the same area to the same caller, who is allowed to see it.
async function readBy(id: string, incoming: Incoming<unknown>, routes: readonly Route<unknown>[]): Promise<JsonRecord> {
  const answer = await routes.find(({ operation }) => operation.id === id)?.handle(incoming);
  const body = answer === undefined || "takeOver" in answer ? null : answer.body;
  const value: unknown = typeof body === "string" ? JSON.parse(body) : null;
  return isRecord(value) ? value : {};
}

function inputSchemaIn({ paths }: JsonRecord): JsonRecord {
  const [path] = isRecord(paths) ? Object.values(paths) : [];
  let here: unknown = path;
  for (const step of ["post", "requestBody", "content", "application/json", "schema"])
    here = isRecord(here) ? here[step] : undefined;
  return isRecord(here) ? here : {};
}

const together = ["allOf", "anyOf", "oneOf", "if", "then", "else"] as const;

// Null if the schema allows further members.
export function declaredIn(schema: JsonRecord): ReadonlySet<string> | null {
  if (schema["$ref"] !== undefined) throw refusal(`${name}=true is not offered for this model.`);
  const { properties, additionalProperties: further } = schema;
  if (further !== undefined && further !== false) return null;
  const declared = new Set(isRecord(properties) ? Object.keys(properties) : []);
  for (const part of together.flatMap((word) => schema[word]).filter(isRecord)) {
    const more = declaredIn(part);
    if (more === null) return null;
    for (const member of more) declared.add(member);
  }
  return declared;
}

// The route refuses anything that is not a JSON object, with its own message.
function membersIn(bytes: Buffer): JsonRecord {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
