// Variant "router shapes": below the public name of the router, queued calls and estimates have the shapes of its public
// document. Our own path keeps our shapes. Statuses and words can have only one form, so they follow the path.
import { isRequestReason } from "@atelier/contract";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Answer, Area, BytesAnswer, Envelope, Incoming, Route } from "../../foundation/http/area.ts";
import { jsonAnswer } from "../../foundation/http/area.ts";
import { isRecord, type JsonRecord } from "../../foundation/json/json-record.ts";
import { publicEstimate } from "./estimate-shape.ts";
import { routerPath } from "./names.ts";
import type { ComfyRim } from "./rim.ts";
import { refuseUnknownFields } from "./unknown-fields.ts";

export interface RouterShapesDeps {
  readonly rim: Pick<ComfyRim, "isTheirs">;
  readonly clock: Clock;
  readonly creditsPerUsd: number;
}

type Shape = (answer: BytesAnswer, incoming: Incoming<unknown>, deps: RouterShapesDeps) => BytesAnswer;

const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["submitModelRequest", (answer) => (answer.status === 202 ? withLinks({ ...answer, status: 201 }) : answer)],
  ["getModelRequestStatus", (answer) => withLinks(withReason(answer))],
  // The model's own answer, good or bad, stays unchanged.
  ["getModelRequestResult", (answer) => (answer.status === 202 ? withLinks(answer) : withReasonSaid(answer))],
  ["cancelModelRequest", (answer, incoming) => (answer.status === 202 ? cancelAccepted(incoming) : answer)],
  [
    "estimateModel",
    (answer, _, { clock, creditsPerUsd }) =>
      withBody(answer, (body) => publicEstimate(body, { now: clock.now(), creditsPerUsd })),
  ],
]);

const calls: ReadonlySet<string> = new Set(["invokeModel", "submitModelRequest"]);

export function withRouterShapes(area: Area, deps: RouterShapesDeps): Area {
  if (!area.routes.some(({ operation }) => shapes.has(operation.id))) return area;
  const routes = area.routes.map((route) => shapedRoute(route, area.routes, deps));
  return { ...area, routes, envelope: shapedEnvelope(area.envelope, deps) };
}

function shapedRoute(route: Route<unknown>, all: readonly Route<unknown>[], deps: RouterShapesDeps): Route<unknown> {
  const { id } = route.operation;
  const shape = shapes.get(id);
  if (shape === undefined && !calls.has(id)) return route;
  const answerTo = async (incoming: Incoming<unknown>): Promise<Answer> => {
    if (calls.has(id)) await refuseUnknownFields(incoming, all);
    const answer = await route.handle(incoming);
    return shape === undefined || "takeOver" in answer ? answer : shape(answer, incoming, deps);
  };
  return {
    ...route,
    handle(incoming) {
      if (!deps.rim.isTheirs(incoming.headers)) return route.handle(incoming);
      return id === "cancelModelRequest" ? asked(answerTo(incoming), incoming) : answerTo(incoming);
    },
  };
}

// The public answer says that the cancel was accepted, not that the run stops: one that continues at the provider is charged.
async function asked(answer: Promise<Answer>, incoming: Incoming<unknown>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Fault && error.code === "cancel_refused") return cancelAccepted(incoming);
    throw error;
  }
}

function cancelAccepted({ params }: Incoming<unknown>): BytesAnswer {
  const body = { request_id: params["request_id"], status: "CANCELLATION_REQUESTED" };
  return jsonAnswer(202, body, { "cache-control": "no-store" });
}

const cancelPath = /\/requests\/([^/]+)\/cancel$/;

function shapedEnvelope(envelope: Envelope, { rim }: RouterShapesDeps): Envelope {
  return (fault, arrival) => {
    const answer = envelope(fault, arrival);
    if (arrival.headers === undefined || !rim.isTheirs(arrival.headers)) return answer;
    const requestId = fault.code === "already_completed" ? cancelPath.exec(arrival.path)?.[1] : undefined;
    const found = requestId === undefined ? {} : { request_id: requestId, status: "ALREADY_COMPLETED" };
    return withBody(withReasonSaid(answer), (body) => ({ ...body, ...found }));
  };
}

// For our own answers that name a reason of the queue.
function withReasonSaid(answer: BytesAnswer): BytesAnswer {
  return answer.headers?.["x-service-error-reason"] === undefined ? answer : withReason(answer);
}

// The public reasons are more specific, in the body as in the header.
function withReason(answer: BytesAnswer): BytesAnswer {
  return withBody(answer, (body) => {
    const { code } = body;
    return typeof code === "string" && isRequestReason(code) ? { ...body, error_type: code } : body;
  });
}

const links = ["status_url", "response_url", "cancel_url"] as const;

// A client that follows a link stays below the name it used.
function withLinks(answer: BytesAnswer): BytesAnswer {
  const linked = withBody(answer, (body) => {
    const theirs = links.flatMap((name) => {
      const url = body[name];
      return typeof url === "string" ? [[name, theirUrl(url)]] : [];
    });
    return { ...body, ...Object.fromEntries(theirs) };
  });
  const location = linked.headers?.["location"];
  if (typeof location !== "string") return linked;
  return { ...linked, headers: { ...linked.headers, location: theirUrl(location) } };
}

const theirUrl = (url: string): string => url.replace(`${routerPath.ours}/`, `${routerPath.theirs}/`);

function withBody(answer: BytesAnswer, shape: (body: JsonRecord) => JsonRecord): BytesAnswer {
  const type = answer.headers?.["content-type"];
  const { body } = answer;
  if (typeof type !== "string" || !type.startsWith("application/json")) return answer;
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return answer;
  const value: unknown = JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString("utf8"));
  return isRecord(value) ? { ...answer, body: JSON.stringify(shape(value)) } : answer;
}
