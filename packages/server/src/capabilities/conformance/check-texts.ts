// Checks a definition as its author types it, for an editor: every finding with its line and column, in the definition or in the
// fixtures. Without fixtures only the format is checked, which is quick enough for each pause in typing. With fixtures the definition
// is tried against a provider on loopback that answers what they say; nothing leaves this machine.
import { Fault } from "../../foundation/fault.ts";
import { parseJson } from "../../foundation/json/json-bytes.ts";
import { positionOf, type TextPosition } from "../../foundation/json/json-file.ts";
import { pointerSegment } from "../../foundation/json-pointer.ts";
import { holdBound, priceOf, priceWords, validatePrice } from "../prices/index.ts";
import {
  checkDefinition,
  type DefinitionChecks,
  type DefinitionProblem,
  type ProviderDefinition,
  problemText,
} from "../providers/index.ts";
import { dollars } from "./check-prices.ts";
import { checkProvider, type Finding } from "./check-provider.ts";
import { isInFixtures, modelPointer, pointerOf } from "./finding-pointers.ts";

export interface TextFinding extends TextPosition {
  readonly in: "definition" | "fixtures";
  // The JSON pointer of the value it is about.
  readonly path: string;
  readonly model: string | null;
  readonly case: string | null;
  readonly message: string;
}

export interface TextCheck {
  // Null if the text has none that could be one.
  readonly provider: string | null;
  // By name; none while the format has problems.
  readonly models: readonly string[];
  // How many cases ran.
  readonly cases: number;
  readonly findings: readonly TextFinding[];
  // How the prices were understood.
  readonly prices: readonly { readonly model: string; readonly usd: string; readonly exampleUsd: string }[];
}

export interface CheckTexts {
  readonly checks: DefinitionChecks & { targetProblems(definition: ProviderDefinition): readonly DefinitionProblem[] };
  readonly definition: string;
  readonly fixtures: string | null;
  // Try only this one.
  readonly model: string | null;
}

export async function checkTexts({ checks, definition, fixtures, model }: CheckTexts): Promise<TextCheck> {
  const text = readText("definition", definition);
  const others = fixtures === null ? null : readText("fixtures", fixtures);
  const unread = [text, others].flatMap((each) => each?.problem ?? []);
  const checked = text.problem === null ? checkDefinition(checks, text.value) : null;
  if (checked === null || !checked.ok) {
    const fields = checked === null ? [] : checked.fields;
    const findings = [...unread, ...fields.map(text.say)];
    return { provider: nameIn(text.value), models: [], cases: 0, findings, prices: [] };
  }
  const known = checked.definition;
  const fields = [...checks.targetProblems(known)].map(text.say);
  const tried =
    others === null || others.problem !== null
      ? null
      : await checkProvider({
          checks,
          definition: model === null ? known : onlyModel(known, model),
          fixtures: model === null ? others.value : onlyFixtures(others.value, model),
        });
  const findings = (tried?.findings ?? []).map((finding) => located(finding, { text, others }));
  return {
    provider: known.provider,
    models: known.models.map((each) => each.model),
    cases: tried?.cases ?? 0,
    findings: [...unread, ...fields, ...findings],
    prices: known.models.flatMap(pricesOf),
  };
}

function nameIn(value: unknown): string | null {
  const name: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "provider") : null;
  return typeof name === "string" && /^[a-z0-9]+([._-][a-z0-9]+)*$/.test(name) && name.length <= 64 ? name : null;
}

function onlyModel(definition: ProviderDefinition, model: string): ProviderDefinition {
  const models = definition.models.filter((each) => each.model === model);
  if (models.length === 0) throw new Fault("invalid_request", `The definition has no model ${model}.`);
  return { ...definition, models };
}

function onlyFixtures(value: unknown, model: string): unknown {
  const models: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "models") : null;
  if (typeof models !== "object" || models === null || !Object.hasOwn(models, model)) return value;
  return { ...Object(value), models: { [model]: Reflect.get(models, model) } };
}

interface ReadText {
  readonly value: unknown;
  readonly problem: TextFinding | null;
  say(problem: DefinitionProblem): TextFinding;
  at(path: string, finding: Pick<TextFinding, "model" | "case" | "message">): TextFinding;
}

function readText(name: TextFinding["in"], text: string): ReadText {
  const bytes = Buffer.from(text, "utf8");
  const at: ReadText["at"] = (path, finding) => ({ in: name, path, ...positionOf(bytes, path), ...finding });
  const say: ReadText["say"] = (problem) =>
    at(problem.path, { model: null, case: null, message: problemText(problem) });
  try {
    return { value: parseJson(bytes).value, problem: null, say, at };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const position = positionIn(error.details);
    return {
      value: null,
      problem: { in: name, path: "", ...position, model: null, case: null, message: error.message },
      say,
      at,
    };
  }
}

function positionIn(details: unknown): TextPosition {
  const [line, column]: unknown[] = [Object(details).line, Object(details).column];
  return { line: typeof line === "number" ? line : 1, column: typeof column === "number" ? column : 1 };
}

function located(finding: Finding, texts: { readonly text: ReadText; readonly others: ReadText | null }): TextFinding {
  const { model, case: name, problem: message } = finding;
  const { text, others } = texts;
  const words = { model, case: name, message };
  const inFixtures = others === null ? null : pointerInFixtures(finding, others.value);
  if (others !== null && inFixtures !== null) return others.at(inFixtures, words);
  return text.at(pointerOf(finding, text.value) ?? modelPointer(model, text.value) ?? "", words);
}

// Null if it is not about the fixtures. A case that the kit made itself is about the model.
function pointerInFixtures(finding: Finding, fixtures: unknown): string | null {
  const { model, case: name, problem } = finding;
  if (isInFixtures(finding)) return /\/[^\s:,]*/.exec(problem)?.[0] ?? "";
  if (problem.startsWith("the fixtures belong")) return "/provider";
  if (model === null) return null;
  const own = `/models/${pointerSegment(model)}`;
  if (problem.startsWith("there are fixtures for it")) return own;
  if (name === null) return null;
  const cases: unknown = Object(Object(Object(fixtures).models)[model]).cases;
  const index = Array.isArray(cases) ? cases.findIndex((each) => Object(each).name === name) : -1;
  return index < 0 ? null : `${own}/cases/${index}`;
}

function pricesOf({ model, price, example }: ProviderDefinition["models"][number]): TextCheck["prices"] {
  const validated = validatePrice(price);
  if (!validated.ok) return [];
  const { definition } = validated;
  const usd = priceWords(definition, 1);
  return [{ model, usd: usd ?? "", exampleUsd: dollars(holdBound(priceOf(definition, 1), example ?? {})) }];
}
