// Every call to a partner model goes through here: direct calls, queued requests, nodes of graphs, and calls that lost their
// process. The steps of a call: admission → judge → begin → run → end.
import type { ModelEstimate } from "@atelier/contract";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { type CallFollowing, heldUntil } from "../calls/index.ts";
import type { ModelRequests, RunRequest, SeenRequest } from "../model-requests/index.ts";
import { freePrice, type Price, type Prices } from "../prices/index.ts";
import { isWorkId } from "../providers/index.ts";
import { type Admission, type AdmissionDeps, createAdmission } from "./catalog/admission.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { OwnCredentialModels } from "./catalog/own-credential-models.ts";
import type { PublishedModels } from "./catalog/published-models.ts";
import type { RouteModels } from "./catalog/route-models.ts";
import { routeTurns } from "./routes/order-targets.ts";
import { type CallFromGraph, callFromGraph } from "./running/call-from-graph.ts";
import { type CancelAsked, cancelCall, cancelCallsOf } from "./running/cancel-call.ts";
import { type EstimatedCall, type EstimateModelDeps, estimateModel } from "./running/estimate-model.ts";
import { type FollowInvocationsDeps, followInvocations } from "./running/follow-invocations.ts";
import { type Invoked, type InvokeModel, type InvokeModelDeps, invokeModel } from "./running/invoke-model.ts";
import { requestRunner } from "./running/run-request.ts";
import {
  judgedInputs,
  type SubmitRequest,
  type SubmitRequestDeps,
  type Submitted,
  submitRequest,
} from "./running/submit-request.ts";

type Own = "underOwnCredential" | "judged" | "requests" | "turns";

export interface ModelCallDeps
  extends AdmissionDeps,
    Omit<InvokeModelDeps, Own>,
    Omit<SubmitRequestDeps, Own>,
    Omit<EstimateModelDeps, Own>,
    Pick<FollowInvocationsDeps, "modelOf"> {
  readonly requests: ModelRequests;
  readonly prices: Pick<Prices, "get">;
  readonly own: OwnCredentialModels;
  readonly published: PublishedModels;
  readonly routed: RouteModels;
  // Whether a workspace with its own credential could call this model even though the server cannot.
  isForOwn(modelId: string): boolean;
}

export interface ModelCalls extends Pick<Admission, "requireOpen" | "admit"> {
  catalogFor(workspaceId: WorkspaceId): Catalog | Promise<Catalog>;
  invoke(invocation: InvokeModel): Promise<Invoked>;
  estimate(call: EstimatedCall): Promise<ModelEstimate>;
  submit(submission: SubmitRequest): Promise<Submitted>;
  readonly requests: Pick<ModelRequests, "find" | "list" | "answer" | "cancel">;
  // Works that the workspace may call, for a page of the catalog.
  listWorks: PublishedModels["list"];
  // Routes that the workspace may call.
  listRoutes: RouteModels["list"];
  // Asks the provider of a running request to stop it.
  cancelRunning(request: Pick<SeenRequest, "id" | "workspaceId">): Promise<CancelAsked>;
  // The same for everything that nodes of these jobs have at providers.
  cancelCallsOf(jobs: Parameters<typeof cancelCallsOf>[1]): Promise<void>;
  // How long the hold of a running request can last if its process died. Null while a process has it.
  holdUntil(request: SeenRequest): Promise<Date | null>;
  readonly callFromGraph: CallFromGraph;
  // The model's price before we know whose credential a graph runs under. Null if it cannot be called here.
  priceOf(modelId: string): Price | null;
  // The same for one workspace, which may have its own credential.
  priceFor(modelId: string, workspaceId: WorkspaceId): Promise<Price | null>;
  // How the follower ends calls that lost their process.
  readonly following: CallFollowing;
  // Runs a queued request whose turn has come.
  readonly runRequest: RunRequest;
}

export function createModelCalls(given: ModelCallDeps): ModelCalls {
  const { own, requests, catalog } = given;
  const deps = { ...given, underOwnCredential: own.forCall, judged: judgedInputs(), turns: routeTurns() };
  const admission = createAdmission(given);
  const cancelling = { ...given, underOwnCredential: own.forFollowing };
  const servedPrice = (modelId: string) => (given.isForOwn(modelId) ? freePrice : null);
  return {
    ...admission,
    catalogFor: (workspaceId) => given.catalogFor(workspaceId),
    listWorks: (wanted) => given.published.list(wanted),
    listRoutes: (workspaceId) => given.routed.list(workspaceId),
    invoke: (invocation) => invokeModel(deps, invocation),
    estimate: (call) => estimateModel(deps, call),
    submit: (submission) => submitRequest(deps, submission),
    requests,
    async holdUntil(request) {
      const call = request.state === "running" ? await given.calls.find(request.id) : null;
      return call && call.state === "open" ? heldUntil(call) : null;
    },
    cancelRunning: (request) => cancelCall(cancelling, request),
    cancelCallsOf: (jobs) => cancelCallsOf(cancelling, jobs),
    callFromGraph: callFromGraph(deps, admission),
    priceOf: (modelId) => catalog.current().byId.get(modelId)?.price ?? servedPrice(modelId),
    async priceFor(modelId, workspaceId) {
      const model = catalog.current().byId.get(modelId);
      return model ? (await own.forCall(model, workspaceId)).price : servedPrice(modelId);
    },
    following: followInvocations({
      ...given,
      underOwnCredential: own.forFollowing,
      modelOf: async (id, version) =>
        isWorkId(id) ? given.published.followed(id, version) : given.modelOf(id, version),
    }),
    runRequest: requestRunner({ ...deps, admission }),
  };
}
