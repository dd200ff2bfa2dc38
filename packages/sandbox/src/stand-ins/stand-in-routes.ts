// The stand-ins of partners, at `/stand-ins/{provider}` followed by the partner's own paths. They keep a task for a while, answer
// what its documentation shows, and mark every answer: `X-Sandbox-Stand-In` names the partner that would have answered.
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Answer, errorAnswer, jsonAnswer, send } from "../http/answer.ts";
import { BoundedStore } from "../http/bounded-store.ts";
import { readBody } from "../http/read-body.ts";
import type { GenerateDeps } from "../models/generate.ts";
import { type AskedPicture, askedPictureOf, followedTask, type StandInModel, submittedModel } from "./stand-in.ts";
import { makeFile, withMedia } from "./stand-in-media.ts";

interface Task {
  readonly model: StandInModel;
  readonly asked: AskedPicture;
  readonly seed: number;
  // Made once, when it is first asked for.
  result: Promise<Answer> | null;
}

export const standInPrefix = "/stand-ins/";

export class StandIns {
  readonly #models: readonly StandInModel[];
  readonly #deps: GenerateDeps;
  readonly #tasks = new BoundedStore<Task>({ entriesMax: 2000, bytesMax: 2000, keepSeconds: 3600 });

  constructor(models: readonly StandInModel[], deps: GenerateDeps) {
    this.#models = models;
    this.#deps = deps;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , provider = "", ...rest] = (request.url ?? "").split("/");
    const target = `/${rest.join("/")}`;
    const answer =
      request.method === "POST" ? await this.#submit(request, provider, target) : await this.#follow(provider, target);
    send(response, { ...answer, headers: { ...answer.headers, "X-Sandbox-Stand-In": provider } });
  }

  async #submit(request: IncomingMessage, provider: string, target: string): Promise<Answer> {
    const bytes = await readBody(request, ["application/json", "multipart/form-data"]);
    if (!Buffer.isBuffer(bytes)) return bytes;
    const body = parsed(bytes, request.headers["content-type"] ?? "");
    const model = submittedModel(this.#models, provider, target, body);
    if (model === null) return errorAnswer(404, "not_found", "This stand-in has no such model.");
    const task: Task = {
      model,
      asked: askedPictureOf(body),
      seed: bytes.reduce((sum, byte) => (sum * 31 + byte) % 2147483647, 7),
      result: null,
    };
    if (model.pollPath === null) return this.#result(task, null);
    const handle = `stand-in-${randomBytes(12).toString("hex")}`;
    this.#tasks.put(handle, task, 1);
    const [first] = model.answers;
    return first === undefined
      ? errorAnswer(500, "no_answer", "No answer is documented.")
      : plain(first, model.handle, handle);
  }

  async #follow(provider: string, target: string): Promise<Answer> {
    const followed = followedTask(this.#models, provider, target);
    const task = followed === null ? undefined : this.#tasks.get(followed.handle);
    if (followed === null || task === undefined) return errorAnswer(404, "not_found", "There is no such task.");
    const { model } = task;
    // The state comes from the last poll, and the output from the fetch, if there is one.
    const state = model.fetchPath === null ? undefined : model.answers.at(-2);
    if (!followed.isFetch && state !== undefined) return plain(state, model.handle, followed.handle);
    task.result ??= this.#result(task, followed.handle);
    return task.result;
  }

  async #result({ model, asked, seed }: Task, handle: string | null): Promise<Answer> {
    const last = model.answers.at(-1);
    if (last === undefined) return errorAnswer(500, "no_answer", "No answer is documented.");
    const make = (kind: Parameters<typeof makeFile>[1], index: number) =>
      makeFile(this.#deps, kind, asked, seed + index);
    const whole = model.media.find(({ pointer }) => pointer === "");
    if (whole !== undefined && last.body === undefined) {
      const { bytes, contentType } = await make(whole.kind, 0);
      const named = Object.entries(last.headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
      return {
        status: last.status,
        contentType: named ?? contentType,
        body: bytes,
        headers: otherHeaders(last.headers),
      };
    }
    const { publish } = this.#deps;
    const body = await withMedia(renamed(last.body, model.handle, handle), model.media, make, publish);
    return jsonAnswer(last.status, body, otherHeaders(last.headers));
  }
}

function plain(answer: StandInModel["answers"][number], documented: string | null, handle: string): Answer {
  return jsonAnswer(answer.status, renamed(answer.body ?? {}, documented, handle), otherHeaders(answer.headers));
}

// Lengths and types are those of our own answer.
function otherHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-/i.test(name)));
}

// The documented task's id becomes ours, wherever the answer repeats it.
function renamed(body: unknown, documented: string | null, handle: string | null): unknown {
  if (documented === null || handle === null) return body;
  return JSON.parse(JSON.stringify(body ?? null), (_, value: unknown) =>
    typeof value === "string" && !/^https?:/.test(value) ? value.replaceAll(documented, handle) : value,
  );
}

function parsed(bytes: Buffer, type: string): unknown {
  const text = bytes.toString("utf8");
  if (type.startsWith("multipart/")) {
    const fields = [...text.matchAll(/name="([^"]+)"\r\n\r\n([^\r]*)\r\n/g)];
    return Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, value]));
  }
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
