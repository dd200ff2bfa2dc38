// `atelier requests ls --queued|get|cancel`: model calls queued on the server, and their results, which it keeps for a day.
import { AtelierError, type ModelRequest, type ModelRequestStatus } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { requireFile, requireFolder } from "../files/output-path.ts";
import { take } from "../files/take.ts";
import { given } from "../given.ts";
import { wrongCall } from "../read-call.ts";
import type { Asked } from "../server/over-http.ts";
import { oneByOne } from "../terminal/one-by-one.ts";
import { collect, stateText } from "./queue-model.ts";
import { namesFolder } from "./save-answer.ts";

const statuses: readonly ModelRequestStatus[] = ["IN_QUEUE", "IN_PROGRESS", "COMPLETED"];

export async function listQueued({ call, atelier, input }: Asked): Promise<CommandResult> {
  const limit = call.whole("limit", 1, 100_000) ?? 20;
  const filter = given({ status: readStatus(call.text("status")), model: call.text("model") });
  const data = await take(atelier.requests.list({ ...filter, pageSize: Math.min(limit, 100) }), limit);
  const rows = data.map((request) => [
    request.request_id,
    request.model,
    input.isTerminal ? markedState(request) : (failureCode(request) ?? request.status),
    ...(input.isTerminal ? [] : [request.queue_position?.toString() ?? null]),
    request.credits_used ?? null,
    new Date(request.created_at),
  ]);
  const columns = ["request", "model", "state", ...(input.isTerminal ? [] : ["ahead"]), "credits", "created"];
  return { data, text: { columns, rows, empty: "No queued requests. Queue one: atelier models run <model> --queue" } };
}

function readStatus(text: string | undefined): ModelRequestStatus | undefined {
  if (text === undefined) return undefined;
  const known = statuses.find((status) => status === text.toUpperCase());
  if (known === undefined) throw wrongCall("requests", [`--status must be one of ${statuses.join(", ")}.`]);
  return known;
}

// The most specific word we have.
const failureCode = ({ code, error_type: bucket }: ModelRequest): string | undefined => code ?? bucket;

const markedState = (request: ModelRequest): string => {
  const failure = failureCode(request);
  if (failure !== undefined) return `✕ ${failure}`;
  if (request.status === "COMPLETED") return "✓ completed";
  return `${request.status === "IN_QUEUE" ? "○" : "●"} ${stateText(request)}`;
};

export async function getQueued(asked: Asked): Promise<CommandResult> {
  const { call, atelier } = asked;
  const target = call.text("output");
  if (target !== undefined) (namesFolder(target) ? requireFolder : requireFile)(target);
  return collect(asked, await atelier.requests.find(call.words[0] ?? ""), "leave");
}

export async function cancelQueued({ call, atelier, input }: Asked): Promise<CommandResult> {
  const data = await oneByOne(call.words, input, async (id) => (await atelier.requests.find(id)).cancel());
  const rows = data.map((request) => [request.request_id, failureCode(request) ?? request.status]);
  return { data, text: { columns: ["request", "state"], rows } };
}

// Null if there is no such request, or the server has no queue.
export async function findQueued({ atelier }: Asked, id: string): Promise<ModelRequest | null> {
  try {
    return await (await atelier.requests.find(id)).status();
  } catch (error) {
    if (error instanceof AtelierError && [400, 403, 404].includes(error.status)) return null;
    throw error;
  }
}

export function describeQueued(request: ModelRequest): string[] {
  const { detail } = request;
  const facts: [string, string | undefined][] = [
    ["request", request.request_id],
    ["model", request.model],
    ["state", markedState(request)],
    ["problem", detail === undefined ? undefined : typeof detail === "string" ? detail : JSON.stringify(detail)],
    ["credits", request.credits_used],
    ["created", request.created_at],
    ["started", request.started_at],
    ["ended", request.completed_at],
    ["result", request.status === "COMPLETED" ? `atelier requests get ${request.request_id}` : undefined],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(8)}  ${value}`]));
}
