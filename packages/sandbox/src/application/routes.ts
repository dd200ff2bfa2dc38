// The application's HTTP routes; each exists bare and under /api. The ones about jobs belong to the newer version, under /api
// only.
import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { readBytes } from "../http/read-body.ts";
import { aboutReply } from "./about-routes.ts";
import type { Application } from "./application.ts";
import { maxUploadBytes } from "./clients.ts";
import { presentHistory } from "./history.ts";
import { handleJobs } from "./job-routes.ts";
import { toTuple } from "./prompt.ts";
import { empty, inTrouble, json, type Reply, readObject } from "./reply.ts";
import { uploadFile } from "./upload-file.ts";
import { viewFile } from "./view-file.ts";

export async function handle(application: Application, request: IncomingMessage): Promise<Reply> {
  const url = new URL(request.url ?? "/", "http://application");
  const { slowMs, garbage } = application.faults;
  if (slowMs > 0) await wait(slowMs);
  const isJobs = url.pathname === "/api/jobs" || url.pathname.startsWith("/api/jobs/");
  if (isJobs && application.version === "new") {
    const rest = url.pathname.slice("/api/jobs".length);
    return (await handleJobs(application, request, rest, url.searchParams)) ?? empty(404);
  }
  const path = url.pathname.startsWith("/api/") ? url.pathname.slice("/api".length) : url.pathname;
  const isSpoilt = /^\/(?:prompt|queue|history|object_info|system_stats)(?:\/|$)/.test(path);
  const spoilt = isSpoilt ? garbageReply(garbage) : null;
  const reply = (await route(application, request, path, url.searchParams)) ?? empty(404);
  // The work is done all the same; only the answer is nonsense.
  return spoilt ?? reply;
}

async function route(
  application: Application,
  request: IncomingMessage,
  path: string,
  query: URLSearchParams,
): Promise<Reply | null> {
  const isPost = request.method === "POST";
  if (!isPost && request.method !== "GET" && request.method !== "HEAD") return empty(405);
  if (isPost) return post(application, request, path);
  if (path === "/")
    return { status: 200, headers: { "Content-Type": "text/html" }, body: "<!doctype html><title>Application</title>" };
  if (path === "/prompt") return json(200, { exec_info: { queue_remaining: application.queueRemaining } });
  if (path === "/queue") return json(200, queueOf(application));
  if (path === "/history" || path.startsWith("/history/")) return history(application, path, query);
  if (path === "/view") return viewFile(application.folders, application.version, query, request);
  return aboutReply(application, path);
}

async function post(application: Application, request: IncomingMessage, path: string): Promise<Reply | null> {
  if (path === "/upload/image" || path === "/upload/mask") return uploadFile(application.folders, request);
  if (path === "/interrupt") return interrupt(application, request);
  if (!["/prompt", "/queue", "/history", "/free"].includes(path)) return null;
  const body = await readObject(request, maxUploadBytes);
  if (!body) return inTrouble;
  if (path === "/prompt") {
    const { status, answer } = application.submit(body);
    return json(status, answer);
  }
  const ids = Array.isArray(body["delete"]) ? body["delete"] : [];
  if (path === "/queue") {
    if (body["clear"] === true) application.removeWaiting(() => true);
    application.removeWaiting(({ id }) => ids.includes(id));
  } else if (path === "/history") {
    if (body["clear"] === true) application.history.clear();
    for (const id of ids) application.history.delete(String(id));
  }
  return empty(200);
}

// Without a readable body it means whatever runs.
async function interrupt(application: Application, request: IncomingMessage): Promise<Reply> {
  const bytes = await readBytes(request, maxUploadBytes);
  let promptId: unknown = null;
  try {
    const body: unknown = JSON.parse(bytes?.toString() ?? "");
    if (typeof body === "object" && body !== null && "prompt_id" in body) promptId = body.prompt_id;
  } catch {
    promptId = null;
  }
  application.interrupt(typeof promptId === "string" && promptId !== "" ? promptId : null);
  return empty(200);
}

function queueOf({ running, waiting, version }: Application): object {
  const credentials = version === "old" ? "shown" : "hidden";
  return {
    queue_running: running ? [toTuple(running, credentials)] : [],
    queue_pending: waiting.map((prompt) => toTuple(prompt, credentials)),
  };
}

function history({ history: kept }: Application, path: string, query: URLSearchParams): Reply {
  const id = decodeURIComponent(path.slice("/history/".length));
  if (path !== "/history" && id !== "") {
    const entry = kept.get(id);
    return json(200, presentHistory(entry ? [entry] : []));
  }
  const all = [...kept.values()];
  const max = query.has("max_items") ? Number(query.get("max_items")) : all.length;
  const offset = query.has("offset") ? Number(query.get("offset")) : -1;
  const start = offset < 0 ? Math.max(0, all.length - max) : offset;
  return json(200, presentHistory(all.slice(start, start + max)));
}

function garbageReply(garbage: Application["faults"]["garbage"]): Reply | null {
  if (garbage === "html")
    return {
      status: 502,
      headers: { "Content-Type": "text/html" },
      body: "<html><body><h1>502 Bad Gateway</h1></body></html>",
    };
  if (garbage === "broken_json")
    return { status: 200, headers: { "Content-Type": "application/json" }, body: '{"queue_running": [[0, "' };
  return garbage === "wrong_shape" ? json(200, ["nothing", { like: 7 }, null]) : null;
}
