// What a test needs to see and change, behind the sandbox's own credential; no vendor has this.
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Answer, errorAnswer, jsonAnswer, send } from "../http/answer.ts";
import { readBody } from "../http/read-body.ts";
import type { Members } from "../models/exact-json.ts";
import { parseFaultOrder } from "./faults.ts";
import type { PartnerTask, Stage } from "./partner-tasks.ts";
import type { PartnersDeps } from "./partners.ts";
import { parsedBody } from "./read-fields.ts";

export const isControl = (path: string) => path === "/v1/partner-faults" || /^\/v1\/partner-tasks(?:\/|$)/.test(path);

const notFound = errorAnswer(404, "not_found", "There is nothing here.");
const timesMax = 1_000_000;

export async function handleControl(
  deps: PartnersDeps,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  if (request.method !== "POST") return send(response, withoutBody(deps, request, path));
  const body = await readBody(request);
  if (!Buffer.isBuffer(body)) return send(response, body);
  const parsed = parsedBody(body);
  if (!parsed) return send(response, errorAnswer(400, "invalid_json", "The body must be a JSON object."));
  send(
    response,
    path === "/v1/partner-faults" ? addFaults(deps, parsed.members) : moveTask(deps, path, parsed.members),
  );
}

function withoutBody(deps: PartnersDeps, request: IncomingMessage, path: string): Answer {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (path === "/v1/partner-faults") {
    if (request.method === "DELETE") deps.desk.clear();
    else if (!isRead) return errorAnswer(405, "method_not_allowed", "Use GET, POST or DELETE.");
    return jsonAnswer(200, { faults: deps.desk.list() });
  }
  if (!isRead) return errorAnswer(405, "method_not_allowed", "Use GET or POST.");
  if (path === "/v1/partner-tasks") {
    const query = new URL(request.url ?? "", "http://sandbox").searchParams;
    return jsonAnswer(200, { tasks: deps.tasks.of(query.get("reference") ?? "").map(seen) });
  }
  const task = deps.tasks.find(null, idOf(path));
  return task ? jsonAnswer(200, seen(task)) : notFound;
}

function addFaults({ desk }: PartnersDeps, members: Members): Answer {
  const { partner, times = 1 } = members;
  const order = parseFaultOrder(members["faults"], members["seconds"]);
  if (partner !== "partner-a" && partner !== "partner-b") return errorAnswer(400, "invalid_partner", "Name a partner.");
  if (!order || order.faults.size === 0) return errorAnswer(400, "unknown_fault", "There is no such fault.");
  if (typeof times !== "number" || !(times >= 1 && times <= timesMax))
    return errorAnswer(400, "invalid_times", `times must be from 1 to ${timesMax}.`);
  desk.add(partner, order, times);
  return jsonAnswer(200, { faults: desk.list() });
}

function moveTask({ tasks }: PartnersDeps, path: string, members: Members): Answer {
  const task = tasks.find(null, idOf(path));
  if (!task) return notFound;
  const stages: readonly Stage[] = ["running", "completed", "failed"];
  const to = stages.find((stage) => stage === members["to"]);
  if (!to) return errorAnswer(400, "invalid_stage", "`to` must be running, completed or failed.");
  if (!tasks.move(task, to))
    return errorAnswer(409, "not_waiting", `The task is ${task.stage} and cannot be moved by hand.`);
  return jsonAnswer(200, seen(task));
}

const idOf = (path: string) => path.slice("/v1/partner-tasks/".length);

function seen(task: PartnerTask): object {
  return {
    id: task.id,
    partner: task.partner,
    tool: task.tool,
    stage: task.stage,
    reference: task.record.reference,
    submissions: task.record.submissions,
    runs: task.record.runs,
    created_at: task.createdAt,
    history: task.history,
    reads: task.reads,
    faults: [...task.order.faults],
    request: { sha256: task.arrival.sha256, bytes: task.arrival.bytes, seed_text: task.arrival.seedText },
    callbacks: task.callbacks,
    ...(task.outcome?.error && { error: task.outcome.error }),
  };
}
