// What a call would cost, using the checks and the price of the real call: the model under the workspace's own credential if
// it has one, the body against the schema, then the formula that holds and charges. Nothing is stored, held or sent, and no
// slot is taken.
import type { ModelEstimate } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import type { RequestLine } from "../../../foundation/http/request-fingerprint.ts";
import type { KeyId, WorkspaceId } from "../../../foundation/ids.ts";
import type { PastRuns } from "../../../foundation/past-runs.ts";
import { creditsText, holdBound, lowestCharge, priceParts } from "../../prices/index.ts";
import type { CatalogModel } from "../catalog/catalog.ts";
import type { CheckedInput } from "../input/input-checker.ts";
import { type PlanDeps, planRoute } from "../routes/plan-route.ts";

export interface EstimateModelDeps extends PlanDeps {
  // Absent if no past runs are known.
  readonly pastRuns?: PastRuns;
}

export interface EstimatedCall {
  readonly workspaceId: WorkspaceId;
  readonly apiKeyId: KeyId | null;
  readonly model: CatalogModel;
  readonly bytes: Buffer;
  readonly request: RequestLine;
}

export async function estimateModel(deps: EstimateModelDeps, call: EstimatedCall): Promise<ModelEstimate> {
  const { workspaceId, bytes } = call;
  const model = await deps.underOwnCredential(call.model, workspaceId);
  const { verdict } = await deps.inputs.check(model, { ...call.request, bytes }, false, workspaceId);
  if (!verdict.ok) throw verdict.fault;
  const { lowest, highest, hold } = model.runner
    ? await model.runner.quote({ workspaceId, apiKeyId: call.apiKeyId, body: bytes })
    : model.route
      ? await priceOfRoute(deps, call, verdict)
      : priceOf(model, verdict.document);
  const expected = await deps.pastRuns?.expectedSeconds(`model:${model.id}`);
  return {
    model: model.id,
    credits: { lowest: creditsText(lowest), highest: creditsText(highest) },
    hold: creditsText(hold),
    is_exact: lowest === highest,
    ...partsOf(model, verdict.document),
    ...(expected === undefined
      ? {}
      : { expected_seconds: { median: expected.median, p90: expected.p90, count: expected.count } }),
  };
}

// From the cheapest target that accepts the input to the most that any can cost.
async function priceOfRoute(
  deps: EstimateModelDeps,
  { model, workspaceId, request, bytes }: EstimatedCall,
  verdict: Extract<CheckedInput["verdict"], { ok: true }>,
) {
  const { route } = model;
  if (!route) throw new Error(`${model.id} is not a route.`);
  const asked = { model: { ...model, route }, workspaceId, request: { ...request, bytes }, verdict, limit: null };
  const plan = await planRoute(deps, asked);
  if (plan instanceof Fault) throw plan;
  const lowest = [plan.first, ...plan.rest]
    .map((target) => lowestCharge(target.model.price, target.document))
    .reduce((least, each) => (each < least ? each : least));
  return { lowest, highest: plan.hold, hold: plan.hold };
}

function priceOf({ price }: CatalogModel, input: unknown) {
  const highest = holdBound(price, input);
  return { lowest: lowestCharge(price, input), highest, hold: highest };
}

// A work's price depends on what its nodes use, and a route's on who answers, so they have no parts.
function partsOf({ price, runner, route }: CatalogModel, input: unknown): Pick<ModelEstimate, "parts"> {
  const parts = runner || route ? null : priceParts(price, input);
  if (parts === null) return {};
  return {
    parts: parts.map(({ each, quantities }) => ({
      each,
      quantities: quantities.map(({ unit, lowest, highest, isReported }) => ({
        unit,
        lowest,
        highest,
        reported: isReported,
      })),
    })),
  };
}
