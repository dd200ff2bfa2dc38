// A request's body, read and checked against the model's own schema before anything runs. Problems come back all
// together, in the shape that model providers commonly use (detail: loc, msg, type, ctx). The seed is judged by its
// text: a double would round 18446744073709551615 and call 10^400 infinite.
import { randomInt } from "node:crypto";
import { canonicalInteger, membersOf } from "./exact-json.ts";
import { type InputSchema, type MemberSchema, type Simulation, simulations } from "./input-schemas.ts";

interface Seed {
  // As it arrived, for the answer.
  readonly text: string;
  // The one spelling of its value, for the drawing.
  readonly digits: string;
}

export interface ModelInput {
  readonly prompt: string;
  readonly seed: Seed;
  readonly simulate: Simulation | null;
  readonly simulateSeconds: number | null;
  // The number under a name, or the schema's default.
  number(name: string): number;
  word(name: string): string;
}

interface Violation {
  readonly type: string;
  readonly loc: readonly string[];
  readonly msg: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

type ReadInput =
  | { readonly input: ModelInput }
  | { readonly violations: readonly Violation[] }
  | { readonly syntax: string };

const seedDrawnBelow = 2 ** 32;

export function readInput(body: Uint8Array, schema: InputSchema): ReadInput {
  const text = textOf(body);
  const value = text === null ? undefined : parsed(text);
  if (text === null || value === undefined) return { syntax: "The body must be JSON in UTF-8." };
  if (!isObject(value)) return { violations: [{ type: "dict_type", loc: ["body"], msg: "Input should be an object" }] };
  const raw = membersOf(text);
  const violations = violationsOf(schema, value, raw);
  return violations.length > 0 ? { violations } : { input: inputOf(schema, value, raw) };
}

function textOf(body: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function memberOf(value: Members, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function violationsOf(schema: InputSchema, value: Members, raw: ReadonlyMap<string, string>): Violation[] {
  const missing = schema.required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ type: "missing", loc: ["body", name], msg: "Field required" }));
  const wrong = Object.entries(schema.properties).flatMap(([name, member]) => {
    if (!Object.hasOwn(value, name)) return [];
    const problem = problemOf(member, value[name], raw.get(name) ?? "");
    return problem
      ? [{ type: problem.type, loc: ["body", name], msg: problem.msg, ...(problem.ctx && { ctx: problem.ctx }) }]
      : [];
  });
  return [...missing, ...wrong];
}

type Problem = Omit<Violation, "loc"> | null;

// The first broken keyword of one member.
function problemOf(schema: MemberSchema, value: unknown, raw: string): Problem {
  if (schema.type === "string") return stringProblem(schema, value);
  if (typeof value !== "number")
    return {
      type: schema.type === "integer" ? "int_type" : "float_type",
      msg: `Input should be a valid ${schema.type}`,
    };
  if (schema.type === "integer" && canonicalInteger(raw) === null)
    return { type: "int_type", msg: "Input should be a valid integer" };
  return numberProblem(schema, value);
}

function stringProblem(schema: MemberSchema, value: unknown): Problem {
  if (typeof value !== "string") return { type: "string_type", msg: "Input should be a valid string" };
  if (schema.enum && !schema.enum.includes(value)) {
    const expected = schema.enum.join(", ");
    return { type: "literal_error", msg: `Input should be one of: ${expected}`, ctx: { expected } };
  }
  const length = [...value].length;
  if (schema.minLength !== undefined && length < schema.minLength)
    return {
      type: "string_too_short",
      msg: `String should have at least ${schema.minLength} character`,
      ctx: { min_length: schema.minLength },
    };
  if (schema.maxLength !== undefined && length > schema.maxLength)
    return {
      type: "string_too_long",
      msg: `String should have at most ${schema.maxLength} characters`,
      ctx: { max_length: schema.maxLength },
    };
  return null;
}

function numberProblem(schema: MemberSchema, value: number): Problem {
  const { minimum, maximum, multipleOf } = schema;
  if (minimum !== undefined && value < minimum)
    return {
      type: "greater_than_equal",
      msg: `Input should be greater than or equal to ${minimum}`,
      ctx: { ge: minimum },
    };
  if (maximum !== undefined && value > maximum)
    return { type: "less_than_equal", msg: `Input should be less than or equal to ${maximum}`, ctx: { le: maximum } };
  if (multipleOf !== undefined && value % multipleOf !== 0)
    return {
      type: "multiple_of",
      msg: `Input should be a multiple of ${multipleOf}`,
      ctx: { multiple_of: multipleOf },
    };
  return null;
}

function inputOf(schema: InputSchema, value: Members, raw: ReadonlyMap<string, string>): ModelInput {
  const given = raw.get("seed") ?? String(randomInt(seedDrawnBelow));
  const simulate = memberOf(value, "simulate");
  const seconds = memberOf(value, "simulate_seconds");
  const orDefault = (name: string) => memberOf(value, name) ?? schema.properties[name]?.default;
  return {
    prompt: String(memberOf(value, "prompt")),
    seed: { text: given, digits: canonicalInteger(given) ?? given },
    simulate: simulations.find((name) => name === simulate) ?? null,
    simulateSeconds: typeof seconds === "number" ? seconds : null,
    number: (name) => Number(orDefault(name)),
    word: (name) => String(orDefault(name)),
  };
}
