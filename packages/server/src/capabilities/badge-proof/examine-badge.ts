// The whole examination of one badge: compile, walk the tree, evaluate probes under limits (decisions, section 2).
// Everything runs in a child process, even compiling: ((a ?? b) ?? c) … doubles the library's tree at every level.
import jsonata from "jsonata";
import { type BadgeResult, type Miss, readBadgeResult } from "./badge-result.ts";
import type { Badge } from "./badge-shape.ts";
import { readTree } from "./expression-tree.ts";
import { type Finding, failure, isProven, warning } from "./finding.ts";
import { type ExpressionContext, type NodeDescription, type NodeState, type Probe, probesFor } from "./probe-values.ts";
import { traceReferences } from "./trace-references.ts";
import { bucketOf } from "./widget-value.ts";

export interface Examination {
  readonly findings: readonly Finding[];
  readonly samples: readonly ExaminedSample[];
}

export interface ExaminedSample {
  readonly context: ExpressionContext;
  // Either the price, or why there is none.
  readonly price: BadgeResult | null;
  readonly miss: Miss | null;
}

export interface ExamineTask {
  readonly badge: Badge;
  readonly states: readonly NodeState[];
  readonly description: NodeDescription;
}

// The library counts everything in progress as depth, including all values of an object, so a table of tables needs a
// lot.
const evaluationLimits = { timeout: 50, stack: 400, sequence: 1000 };
const limitCodes = new Set(["D1011", "D1012", "D2015"]);
const samplesMax = 64;
const evaluatingMsMax = 3000;
const triesMax = 10;
const workedMsMax = 5 * evaluationLimits.timeout;

export async function examineBadge({ badge, states, description }: ExamineTask): Promise<Examination> {
  const compiled = compile(badge.expr);
  if ("severity" in compiled) return { findings: [compiled], samples: [] };
  const { tree, findings: refusals } = readTree(compiled.ast(), badge.expr);
  const references = traceReferences(tree, badge.depends_on);
  const findings = distinctFindings([...refusals, ...references.findings, ...againstDescription(badge, description)]);
  // Never evaluate what the walk refused.
  if (!isProven(findings)) return { findings, samples: [] };
  const tried = await tryProbes(compiled, probesFor(badge.depends_on, references.hints, description, states));
  return { findings: [...findings, ...tried.findings], samples: tried.samples };
}

function compile(expr: string): jsonata.Expression | Finding {
  try {
    return jsonata(expr, evaluationLimits);
  } catch (thrown) {
    const { code, message, position, token } = describe(thrown);
    return { ...failure(code ?? "syntax", message, position), ...(token === null ? {} : { token }) };
  }
}

// A client drops a badge whose dependencies do not fit the node: no price is better than a wrong one.
function againstDescription(badge: Badge, description: NodeDescription): readonly Finding[] {
  const { widgets, input_groups } = badge.depends_on;
  const types = new Map(widgets.map(({ name, type }) => [name, type]));
  const ofWidgets = Object.entries(description.widgets ?? {}).flatMap(([name, { type }]) => {
    const declared = types.get(name);
    if (declared === undefined) return [undeclared(name)];
    if (type === undefined || bucketOf(type) === bucketOf(declared)) return [];
    return [
      failure("type_differs", `depends_on says widget "${name}" is ${declared}, but the node has it as ${type}.`),
    ];
  });
  const ofGroups = Object.keys(description.inputGroups ?? {}).filter((name) => !input_groups.includes(name));
  return [...ofWidgets, ...ofGroups.map(undeclared)];
}

function undeclared(name: string): Finding {
  return warning("described_without_dependency", `"${name}" is described, but depends_on does not declare it.`);
}

async function tryProbes(expression: jsonata.Expression, probes: readonly Probe[]): Promise<Examination> {
  const samples: ExaminedSample[] = [];
  const misses: Missed[] = [];
  const begun = process.cpuUsage();
  for (const probe of probes) {
    const tried = await tryProbe(expression, probe.context);
    if (samples.length < samplesMax) samples.push(tried);
    if (tried.miss) misses.push({ kind: probe.kind, context: probe.context, miss: tried.miss });
    if (tried.miss && limitCodes.has(tried.miss.code)) break;
    if (workedMs(begun) > evaluatingMsMax) {
      const late = { code: "too_slow", message: "Evaluating this badge takes too long, and would in a client too." };
      misses.push({ kind: probe.kind, context: probe.context, miss: late });
      break;
    }
  }
  return { findings: weigh(misses, probes.length - misses.length), samples };
}

async function tryProbe(expression: jsonata.Expression, context: ExpressionContext): Promise<ExaminedSample> {
  const outcome = await evaluate(expression, context);
  if ("thrown" in outcome) {
    const { code, message, position } = describe(outcome.thrown);
    return { context, price: null, miss: { code: code ?? "evaluation", message, position } };
  }
  const read = readBadgeResult(outcome.value);
  return read.ok ? { context, price: read.result, miss: null } : { context, price: null, miss: read.miss };
}

async function evaluate(
  expression: jsonata.Expression,
  context: ExpressionContext,
): Promise<{ value: unknown } | { thrown: unknown }> {
  const once = async () => {
    try {
      return { value: await expression.evaluate(context) };
    } catch (thrown) {
      return { thrown };
    }
  };
  const begun = process.cpuUsage();
  for (let tries = 1; ; tries++) {
    const outcome = await once();
    if (!("thrown" in outcome) || describe(outcome.thrown).code !== "D1012") return outcome;
    // The library checks wall-clock time. On a busy machine a badge may be late through no fault of its own, and in a
    // cold process the first runs pay for compiling, which also happens in other threads. So we try again unless it used
    // much more CPU time.
    if (tries === triesMax || workedMs(begun) >= workedMsMax) return outcome;
  }
}

// The CPU time of this process since then, independent of the clock.
function workedMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

interface Missed {
  readonly kind: Probe["kind"];
  readonly context: ExpressionContext;
  readonly miss: Miss;
}

// A miss on values that can occur is an error. On guessed values it is a warning, unless the badge is right on none of
// them. Without any value it is a warning, because clients ask again as soon as there is one. Hitting a limit is always
// an error. Of equal misses only the first is reported.
function weigh(misses: readonly Missed[], right: number): readonly Finding[] {
  const reported = new Set<string>();
  return misses.flatMap(({ kind, context, miss }) => {
    const always = limitCodes.has(miss.code) || miss.code === "too_slow";
    const mild = !always && (kind === "nothing" || (kind === "guessed" && right > 0));
    const key = `${mild} ${miss.code}`;
    if (reported.has(key)) return [];
    reported.add(key);
    const message = `${miss.message} With ${spell(context)}.`;
    return [mild ? warning(miss.code, message, miss.position) : failure(miss.code, message, miss.position)];
  });
}

function describe(thrown: unknown): {
  code: string | null;
  message: string;
  position: number | null;
  token: string | null;
} {
  const raw = typeof thrown === "object" && thrown !== null ? Object.fromEntries(Object.entries(thrown)) : {};
  if (thrown instanceof RangeError) {
    return { code: "too_deep", message: "The expression is nested too deeply.", position: null, token: null };
  }
  const message = thrown instanceof Error ? thrown.message : raw["message"];
  return {
    code: typeof raw["code"] === "string" ? raw["code"] : null,
    message: typeof message === "string" && message !== "" ? sentence(message) : "The expression cannot be evaluated.",
    position: typeof raw["position"] === "number" ? raw["position"] : null,
    token: raw["token"] === undefined ? null : String(raw["token"]),
  };
}

function sentence(message: string): string {
  return message.endsWith(".") ? message : `${message}.`;
}

function spell(context: ExpressionContext): string {
  const widgets = Object.entries(context.widgets).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const inputs = Object.entries(context.inputs).map(
    ([name, { connected }]) => `${name} ${connected ? "" : "not "}connected`,
  );
  const groups = Object.entries(context.inputGroups).map(([name, count]) => `${count} of ${name}`);
  const all = [...widgets, ...inputs, ...groups];
  return all.length === 0 ? "no dependencies" : all.slice(0, 12).join(", ");
}

function distinctFindings(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  return findings.filter((one) => {
    const key = JSON.stringify(one);
    return !seen.has(key) && seen.add(key);
  });
}
