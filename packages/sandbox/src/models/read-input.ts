// Parses a request's body and checks it against the model's schema before anything runs. All problems are reported together, in
// the shape that model providers commonly use (detail: loc, msg, type, ctx). We judge the seed by its text: a double would round
// 18446744073709551615 and call 10^400 infinite.
import { randomInt } from "node:crypto";
import { canonicalInteger, isMembers, type Members, membersOf, readJson } from "./exact-json.ts";
import { type InputSchema, type MemberSchema, type Simulation, simulations } from "./input-schemas.ts";

interface Seed {
  // As it arrived, for the answer.
  readonly text: string;
  // The canonical spelling of its value, for drawing.
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
  flag(name: string): boolean;
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
  const read = readJson(body);
  if (!read) return { syntax: "The body must be JSON in UTF-8." };
  const { text, value } = read;
  if (!isMembers(value))
    return { violations: [{ type: "dict_type", loc: ["body"], msg: "Input should be an object" }] };
  const raw = membersOf(text);
  const violations = violationsOf(schema, value, raw);
  return violations.length > 0 ? { violations } : { input: inputOf(schema, value, raw) };
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

// The first violated keyword of one member.
function problemOf(schema: MemberSchema, value: unknown, raw: string): Problem {
  if (schema.type === "string") return stringProblem(schema, value);
  if (schema.type === "boolean")
    return typeof value === "boolean" ? null : { type: "bool_type", msg: "Input should be a valid boolean" };
  const isNumber = typeof value === "number";
  if (schema.type === "integer" && !(isNumber && canonicalInteger(raw) !== null))
    return { type: "int_type", msg: "Input should be a valid integer" };
  return isNumber ? numberProblem(schema, value) : { type: "float_type", msg: "Input should be a valid number" };
}

const broken = (type: string, msg: string, name: string, bound: unknown): Problem => ({
  type,
  msg,
  ctx: { [name]: bound },
});

function stringProblem(schema: MemberSchema, value: unknown): Problem {
  if (typeof value !== "string") return { type: "string_type", msg: "Input should be a valid string" };
  const { enum: words, minLength: least, maxLength: most } = schema;
  if (words && !words.includes(value)) {
    const expected = words.join(", ");
    return broken("literal_error", `Input should be one of: ${expected}`, "expected", expected);
  }
  const length = [...value].length;
  if (least !== undefined && length < least)
    return broken("string_too_short", `String should have at least ${least} character`, "min_length", least);
  if (most !== undefined && length > most)
    return broken("string_too_long", `String should have at most ${most} characters`, "max_length", most);
  return null;
}

function numberProblem({ minimum, maximum, multipleOf }: MemberSchema, value: number): Problem {
  if (minimum !== undefined && value < minimum)
    return broken("greater_than_equal", `Input should be greater than or equal to ${minimum}`, "ge", minimum);
  if (maximum !== undefined && value > maximum)
    return broken("less_than_equal", `Input should be less than or equal to ${maximum}`, "le", maximum);
  if (multipleOf !== undefined && value % multipleOf !== 0)
    return broken("multiple_of", `Input should be a multiple of ${multipleOf}`, "multiple_of", multipleOf);
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
    flag: (name) => orDefault(name) === true,
  };
}
