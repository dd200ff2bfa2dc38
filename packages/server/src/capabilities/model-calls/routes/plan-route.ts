// What a call of a route can do: the targets that accept this input, each with its own body and price, in the order in which
// they are asked. Decided once, before the call begins: it holds the most that any of them can cost.
import { Fault } from "../../../foundation/fault.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { largeBytesMin } from "../../../foundation/own-thread.ts";
import type { Entitlements } from "../../identity/index.ts";
import { holdBound, isCostly } from "../../prices/index.ts";
import { type FormBody, withModelMember } from "../../providers/index.ts";
import { mapBytes, mapInput } from "../../routes/index.ts";
import type { CatalogModel, RouteOfModel, RouteTargetModel } from "../catalog/catalog.ts";
import { type InputVerdict, judgeDocument } from "../input/check-input.ts";
import type { BodyRequest, InputChecker } from "../input/input-checker.ts";
import { type OrderDeps, orderTargets } from "./order-targets.ts";

export interface PlanDeps extends OrderDeps {
  readonly inputs: Pick<InputChecker, "check">;
  readonly entitlements: Pick<Entitlements, "isRouterEnabled" | "mayRun">;
  underOwnCredential(model: CatalogModel, workspaceId: WorkspaceId): CatalogModel | Promise<CatalogModel>;
}

export interface PlannedCall {
  // The route.
  readonly model: CatalogModel & { readonly route: RouteOfModel };
  readonly workspaceId: WorkspaceId;
  readonly request: BodyRequest;
  // Of the route's own inputs.
  readonly verdict: Extract<InputVerdict, { ok: true }>;
  // Targets that could cost more are not asked, unless all could. Null: no limit.
  readonly limit: bigint | null;
}

// A target with everything that a call to it needs.
export interface Candidate {
  // Under the credential that the route names.
  readonly model: CatalogModel;
  readonly credentialOf: WorkspaceId | null;
  readonly document: unknown;
  readonly exactIntegers: ReadonlyMap<string, string>;
  readonly form?: FormBody;
  readonly dropped: readonly string[];
  readonly hold: bigint;
  readonly weight: number;
  bytes(): Buffer;
}

export interface RoutePlan {
  readonly first: Candidate;
  readonly rest: readonly Candidate[];
  readonly hold: bigint;
  readonly isCostly: boolean;
  readonly longestRunSeconds: number;
}

export async function planRoute(deps: PlanDeps, call: PlannedCall): Promise<RoutePlan | Fault> {
  const { route } = call.model;
  const candidates: Candidate[] = [];
  let refusal: Fault | null = null;
  for (const target of route.targets) {
    const found = await candidateOf(deps, call, target);
    if (found instanceof Fault) refusal ??= found;
    else candidates.push(found);
  }
  const within = candidates.filter(({ hold }) => call.limit === null || hold <= call.limit);
  const chosen = within.length > 0 ? within : cheapest(candidates);
  const [first, ...rest] = orderTargets(deps, call.model.id, route.rule, chosen);
  if (!first) return refusal ?? new Fault("model_not_found", "None of this route's targets can be called here.");
  const holds = chosen.map(({ hold }) => hold);
  return {
    first,
    rest,
    hold: holds.reduce((most, hold) => (hold > most ? hold : most), 0n),
    isCostly: chosen.some(({ model }) => isCostly(model.price)),
    longestRunSeconds: Math.max(...chosen.map(({ model }) => model.definition.longest_run_seconds)),
  };
}

const cheapest = (candidates: readonly Candidate[]) =>
  [...candidates].sort((one, other) => (one.hold < other.hold ? -1 : 1)).slice(0, 1);

async function candidateOf(
  deps: PlanDeps,
  call: PlannedCall,
  { target, model: listed, isFirst }: RouteTargetModel,
): Promise<Candidate | Fault> {
  const { workspaceId } = call;
  const may = deps.entitlements.mayRun(workspaceId, listed.id);
  if (!(may instanceof Promise ? await may : may))
    return new Fault("forbidden", "This workspace may not run any target of this route.");
  const model = await withCredential(deps, target.credential, listed, workspaceId);
  if (model === null)
    return new Fault("model_not_found", `There is no credential for ${listed.id} as this route wants it.`);
  const input = await inputOf(deps, call, { target, model, isFirst });
  if (input instanceof Fault) return input;
  const { verdict, dropped, bytes } = input;
  if (!verdict.ok) return verdict.fault;
  return {
    model,
    credentialOf: model.isOwnCredential ? workspaceId : null,
    document: verdict.document,
    exactIntegers: verdict.exactIntegers,
    ...(verdict.form ? { form: verdict.form } : {}),
    dropped,
    hold: holdBound(model.price, verdict.document),
    weight: target.weight ?? 1,
    bytes: () => withModelMember(model.definition, bytes(), verdict.namesModel),
  };
}

async function withCredential(
  deps: PlanDeps,
  wanted: "own" | "server" | undefined,
  model: CatalogModel,
  workspaceId: WorkspaceId,
): Promise<CatalogModel | null> {
  if (wanted === "server") return model.needsOwnCredential ? null : model;
  const found = deps.underOwnCredential(model, workspaceId);
  const own = found instanceof Promise ? await found : found;
  return wanted === "own" && !own.isOwnCredential ? null : own;
}

interface TargetInput {
  readonly verdict: InputVerdict;
  readonly dropped: readonly string[];
  bytes(): Buffer;
}

async function inputOf(
  { inputs }: PlanDeps,
  { model: route, request, verdict, workspaceId }: PlannedCall,
  { target, model, isFirst }: RouteTargetModel,
): Promise<TargetInput | Fault> {
  const { bytes } = request;
  if (isFirst && target.inputs === undefined) return { verdict, dropped: [], bytes: () => bytes };
  // The member that names the first target's model means nothing to the others.
  const silent = isFirst ? null : (route.definition.submit.model_member?.name ?? null);
  const mapped = mapInput(target.inputs, verdict, silent);
  if ("unknownChoice" in mapped) return unknownChoice(mapped.unknownChoice, model.id);
  const { dropped } = mapped;
  if (route.route.isStrict && dropped.length > 0) return refusedDrop(dropped, model.id);
  const mappedBytes = () => mapBytes(target.inputs, bytes, silent);
  if (bytes.byteLength <= largeBytesMin)
    return { verdict: judgeDocument(model, mapped.document, mapped.exactIntegers), dropped, bytes: mappedBytes };
  const large = mappedBytes();
  const checked = await inputs.check(model, { ...request, bytes: large }, false, workspaceId);
  return { verdict: checked.verdict, dropped, bytes: () => large };
}

function unknownChoice(name: string, model: string): Fault {
  const msg = `Field has a value that this route has no value for at ${model}`;
  return new Fault("validation_failed", "The input was rejected.", {
    details: [{ loc: ["body", name], msg, type: "literal_error" }],
  });
}

function refusedDrop(dropped: readonly string[], model: string): Fault {
  const msg = `Field is not supported by ${model}, and this route drops nothing`;
  return new Fault("validation_failed", "The input was rejected.", {
    details: dropped.map((name) => ({ loc: ["body", name], msg, type: "extra_forbidden" })),
  });
}
