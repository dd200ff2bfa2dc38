// The newer application's view of its prompts as jobs, and the two ways to cancel them. Cancelling an unknown job is not an
// error there, it just cancels nothing.
import type { IncomingMessage } from "node:http";
import type { Application } from "./application.ts";
import type { HistoryEntry } from "./history.ts";
import type { Prompt } from "./prompt.ts";
import { json, type Reply, readObject } from "./reply.ts";
import { canonicalUuid } from "./submit-prompt.ts";

const bodyBytesMax = 1024 ** 2;
const limitMax = 1000;

// `path` is what follows /api/jobs. null if there is no such route.
export async function handleJobs(
  application: Application,
  request: IncomingMessage,
  path: string,
  query: URLSearchParams,
): Promise<Reply | null> {
  const [, first = "", second = "", ...more] = path.split("/");
  if (more.length > 0) return null;
  if (request.method === "POST" && first === "cancel" && second === "") return cancelMany(application, request);
  if (request.method === "POST" && second === "cancel") return json(200, { cancelled: application.cancel(first) });
  if (request.method !== "GET" || second !== "") return null;
  if (first === "") return list(application, query);
  const found = everything(application).find((job) => job.id === first);
  return found ? json(200, found) : json(404, { error: "Job not found" });
}

async function cancelMany(application: Application, request: IncomingMessage): Promise<Reply> {
  const body = await readObject(request, bodyBytesMax);
  const ids = body?.["job_ids"];
  if (!Array.isArray(ids)) return json(400, { error: "job_ids must be a list" });
  const invalid = ids.filter((id) => typeof id !== "string" || !canonicalUuid.test(id));
  if (invalid.length > 0) return json(400, { error: "job_ids must be canonical UUIDs", invalid_ids: invalid });
  // Tries every id, whatever happened to the one before.
  return json(200, { cancelled: ids.map((id) => application.cancel(String(id))).includes(true) });
}

function list(application: Application, query: URLSearchParams): Reply {
  const wanted = query.get("status")?.split(",") ?? null;
  const all = everything(application).filter(({ status }) => wanted === null || wanted.includes(status));
  const limit = Math.min(Math.max(Number(query.get("limit") ?? 100) || 100, 1), limitMax);
  const offset = Math.max(Number(query.get("offset") ?? 0) || 0, 0);
  const jobs = all.slice(offset, offset + limit);
  const pagination = { offset, limit, total: all.length, has_more: offset + jobs.length < all.length };
  return json(200, { jobs, pagination });
}

interface Job {
  readonly id: string;
  readonly status: "pending" | "in_progress" | "completed" | "failed" | "cancelled";
  readonly create_time: number;
}

function everything({ waiting, running, history }: Application): readonly Job[] {
  const of = (prompt: Prompt, status: Job["status"]): Job => ({
    id: prompt.id,
    status,
    create_time: prompt.createdAtMs,
  });
  return [
    ...waiting.map((prompt) => of(prompt, "pending")),
    ...(running ? [of(running, "in_progress")] : []),
    ...Array.from(history.values(), (entry) => ({
      ...of(entry.prompt, endOf(entry)),
      outputs: entry.outputs,
      outputs_count: countOf(entry),
    })),
  ].toSorted((one, other) => other.create_time - one.create_time);
}

function endOf({ isSuccess, messages }: HistoryEntry): Job["status"] {
  if (isSuccess) return "completed";
  return messages.some(([event]) => event === "execution_interrupted") ? "cancelled" : "failed";
}

const countOf = ({ outputs }: HistoryEntry) =>
  Object.values(outputs).reduce((sum, shown) => sum + Object.values(shown).flat().length, 0);
