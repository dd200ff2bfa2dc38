// Checks the body against the model's input schema before any provider call (Spec, Router rule 6). One entry per rejected
// field, in the vocabulary that clients of such routers know. A model without an authored schema accepts any JSON object and
// nothing else (Spec, Router rule 7).
import type { RouterValidationEntry } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import { forwarded, parseJson } from "../../../foundation/json/json-bytes.ts";
import type { Violation } from "../../../foundation/json/schema.ts";
import { namesInPointer } from "../../../foundation/json-pointer.ts";
import { bodyViolations, type FormBody, type ServedModel } from "../../providers/index.ts";

export type FieldError = RouterValidationEntry;

export type InputVerdict =
  | {
      readonly ok: true;
      readonly document: unknown;
      readonly exactIntegers: ReadonlyMap<string, string>;
      // Whether the caller named the model in the body, for providers that expect it there.
      readonly namesModel: boolean;
      // Set for a large body if the provider takes a form: built in the thread that read the body.
      readonly form?: FormBody;
    }
  | { readonly ok: false; readonly fault: Fault };

// The answer for the caller, in a form that can pass between threads.
export interface Rejection {
  readonly code: "invalid_json" | "validation_failed";
  readonly message: string;
  readonly details: unknown;
}

export function rejectionOf({ fault }: Extract<InputVerdict, { ok: false }>): Rejection {
  const code = fault.code === "validation_failed" ? "validation_failed" : "invalid_json";
  return { code, message: fault.message, details: fault.details };
}

export function rejected({ code, message, details }: Rejection): InputVerdict {
  return { ok: false, fault: new Fault(code, message, { details }) };
}

export function checkInput(model: Pick<ServedModel, "schema" | "definition">, bytes: Buffer): InputVerdict {
  try {
    // A form is text, and a lone surrogate has no text encoding.
    const isForm = model.definition.submit?.encoding === "multipart";
    const { value, exactIntegers } = parseJson(bytes, isForm ? { ...forwarded, halves: "refuse" } : forwarded);
    return judgeDocument(model, value, exactIntegers);
  } catch (error) {
    if (error instanceof Fault) return { ok: false, fault: error };
    throw error;
  }
}

export function judgeDocument(
  model: Pick<ServedModel, "schema" | "definition">,
  document: unknown,
  exactIntegers: ReadonlyMap<string, string>,
): InputVerdict {
  const errors = fieldErrors(model, document, exactIntegers);
  if (errors.length === 0)
    return { ok: true, document, exactIntegers, namesModel: namedModel(model, document) !== undefined };
  return { ok: false, fault: new Fault("validation_failed", "The input was rejected.", { details: errors }) };
}

function fieldErrors(
  model: Pick<ServedModel, "schema" | "definition">,
  value: unknown,
  exactIntegers: ReadonlyMap<string, string>,
): FieldError[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [{ loc: ["body"], msg: "The body must be a JSON object", type: "dict_type" }];
  }
  const member = wrongModel(model, value);
  const violations =
    model.schema === null ? [] : bodyViolations(model.schema, model.definition.input_schema, { value, exactIntegers });
  const ofSchema = violations.map((violation) => toFieldError(violation, value));
  const isOfMember = ({ loc }: FieldError) => loc.length === 2 && loc[1] === member?.loc[1];
  const errors = member === null ? ofSchema : [member, ...ofSchema.filter((error) => !isOfMember(error))];
  return errors.slice(0, 1000);
}

// The served schema states this as a constant; this message is ours.
function wrongModel(model: Pick<ServedModel, "definition">, value: object): FieldError | null {
  const member = model.definition.submit?.model_member;
  const named = namedModel(model, value);
  if (!member || named === undefined || named === member.value) return null;
  return {
    loc: ["body", member.name],
    msg: "Field must match the model in the path, or be absent",
    type: "literal_error",
    ctx: { expected: member.value },
  };
}

// The value of the body member that names the model. Undefined if the member is missing or not read.
function namedModel(model: Pick<ServedModel, "definition">, value: unknown): unknown {
  const name = model.definition.submit?.model_member?.name;
  if (name === undefined || typeof value !== "object" || value === null) return undefined;
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

const typeNames: Readonly<Record<string, string>> = {
  string: "string_type",
  integer: "int_type",
  number: "float_type",
  boolean: "bool_type",
  array: "list_type",
  object: "dict_type",
  null: "none_required",
};

// keyword → [type, name of the bound in ctx]
const keywords: Readonly<Record<string, readonly [string, string | null]>> = {
  required: ["missing", null],
  enum: ["literal_error", "expected"],
  const: ["literal_error", "expected"],
  minimum: ["greater_than_equal", "ge"],
  maximum: ["less_than_equal", "le"],
  exclusiveMinimum: ["greater_than", "gt"],
  exclusiveMaximum: ["less_than", "lt"],
  multipleOf: ["multiple_of", "multiple_of"],
  minLength: ["string_too_short", "min_length"],
  maxLength: ["string_too_long", "max_length"],
  minItems: ["too_short", "min_length"],
  maxItems: ["too_long", "max_length"],
  additionalProperties: ["extra_forbidden", null],
  unevaluatedProperties: ["extra_forbidden", null],
};

function toFieldError(violation: Violation, body: unknown): FieldError {
  const { loc, value } = locate(namesInPointer(violation.path), body);
  const [type, boundName] =
    violation.keyword === "type"
      ? [typeNameOf(violation.params["type"]), null]
      : (keywords[violation.keyword] ?? ["value_error", null]);
  const { params } = violation;
  const bound = params["limit"] ?? params["multipleOf"] ?? params["allowedValues"] ?? params["allowedValue"];
  const isEchoed = type !== "missing" && isSmall(value);
  return {
    loc: ["body", ...loc],
    msg: `Field ${violation.message}`,
    type,
    ...(boundName === null || bound === undefined ? {} : { ctx: { [boundName]: asDouble(bound) } }),
    ...(isEchoed ? { input: value } : {}),
  };
}

// Bounds beyond 2^53 have their digits in the message; a reader of the answer would round them anyway.
function asDouble(bound: unknown): unknown {
  if (Array.isArray(bound)) return bound.map(asDouble);
  return typeof bound === "bigint" ? Number(bound) : bound;
}

function typeNameOf(type: unknown): string {
  return typeof type === "string" ? (typeNames[type] ?? "value_error") : "value_error";
}

// Array indexes become integers, as clients of this vocabulary expect.
function locate(parts: readonly string[], body: unknown): { loc: (string | number)[]; value: unknown } {
  let value = body;
  const loc = parts.map((part) => {
    const isIndex = Array.isArray(value) && /^\d+$/.test(part);
    const here: unknown = value;
    value =
      typeof here === "object" && here !== null && Object.hasOwn(here, part) ? Reflect.get(here, part) : undefined;
    return isIndex ? Number(part) : part;
  });
  return { loc, value };
}

// We do not echo base64 pictures, nor integers that a double has rounded.
function isSmall(value: unknown): boolean {
  if (typeof value === "string") return value.length <= 256;
  if (typeof value === "number") return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value === "boolean" || value === null;
}
