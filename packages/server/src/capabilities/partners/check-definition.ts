// Checks whether a partner's definition can be served. It reports every problem with its field, so that an operator fixes
// a file once and not line by line.
import type { FieldProblem } from "../../foundation/json/schema.ts";
import { compileSchema } from "../../foundation/json/schema.ts";
import { attempt } from "../../foundation/retry.ts";
import { PartnerDefinition, taskStates } from "./definition.ts";

export interface PartnerChecks {
  priceProblems(price: unknown): readonly string[];
}

export type CheckedPartner =
  | { readonly ok: true; readonly definition: PartnerDefinition }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

export function checkPartner(checks: PartnerChecks, value: unknown): CheckedPartner {
  const shape = compileSchema(PartnerDefinition);
  if (!shape.accepts(value))
    return { ok: false, problems: shape.violations(value).map(({ path, message }) => ({ path, message })) };
  const problems = [
    ...addressProblems(value),
    ...stateProblems(value),
    ...locationProblems(value),
    ...callbackProblems(value),
    ...operationProblems(checks, value),
  ];
  return problems.length === 0 ? { ok: true, definition: value } : { ok: false, problems };
}

function addressProblems({ base_url }: PartnerDefinition): FieldProblem[] {
  if (base_url === null) return [];
  const path = "/base_url";
  const url = URL.parse(base_url);
  if (url === null) return [{ path, message: "must be a URL" }];
  if (url.username !== "" || url.password !== "")
    return [{ path, message: "must not contain a credential: name a setting in /credential" }];
  return url.search !== "" || url.hash !== "" ? [{ path, message: "must have no query and no fragment" }] : [];
}

// One of the partner's words cannot mean two states.
function stateProblems({ states }: PartnerDefinition): FieldProblem[] {
  const seen = new Map<string, string>();
  return taskStates.flatMap((state) =>
    states[state].words.flatMap((word, index) => {
      const before = seen.get(word.toLowerCase());
      seen.set(word.toLowerCase(), state);
      return before === undefined || before === state
        ? []
        : [{ path: `/states/${state}/words/${index}`, message: `${word} already means ${before}` }];
    }),
  );
}

function locationProblems({ operations, reads }: PartnerDefinition): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const once = (path: string, keys: readonly string[], what: string) => {
    for (const [index, key] of keys.entries())
      if (keys.indexOf(key) !== index) problems.push({ path: `${path}/${index}`, message: `${what} ${key} twice` });
  };
  once(
    "/operations",
    operations.map(({ name }) => name),
    "has the name",
  );
  once(
    "/operations",
    operations.map(({ path }) => path),
    "has the path",
  );
  once(
    "/reads",
    reads.map(({ name }) => name),
    "has the name",
  );
  once(
    "/reads",
    reads.map(({ path }) => path.replace(/\{\w+\}/, "{}")),
    "has the path",
  );
  for (const [index, { path }] of operations.entries())
    if (/[{}]/.test(path)) problems.push({ path: `/operations/${index}/path`, message: "takes no parameter" });
  for (const [index, { path }] of reads.entries())
    if (!/^[^{}]*\/\{\w+\}$/.test(path))
      problems.push({ path: `/reads/${index}/path`, message: "must end in one parameter such as {task_id}" });
  return problems;
}

function callbackProblems({ callback }: PartnerDefinition): FieldProblem[] {
  if (!callback) return [];
  if (callback.verify !== "none" && callback.setting === undefined)
    return [{ path: "/callback/setting", message: "is required if callbacks are signed" }];
  return [];
}

function operationProblems(checks: PartnerChecks, { operations, reads }: PartnerDefinition): FieldProblem[] {
  return operations.flatMap((operation, index) => {
    const location = `/operations/${index}`;
    const problems: FieldProblem[] = [];
    if (!reads.some(({ name }) => name === operation.read))
      problems.push({ path: `${location}/read`, message: `does not name an entry of /reads: ${operation.read}` });
    for (const message of checks.priceProblems(operation.price)) problems.push({ path: `${location}/price`, message });
    if (!compiles(operation.schema))
      problems.push({ path: `${location}/schema`, message: "is not a valid JSON Schema" });
    return problems;
  });
}

const compiles = (schema: Readonly<Record<string, unknown>>): boolean =>
  attempt(() => compileSchema(schema).accepts({}), null) !== null;
