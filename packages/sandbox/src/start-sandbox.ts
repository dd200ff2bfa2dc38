// The sandbox model provider: a real HTTP server on loopback that makes real pictures, clips, voices and texts, and misbehaves
// on request. Nothing stays on disk; everything kept is bounded and ends with the server.
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Answer, errorAnswer, jsonAnswer, send } from "./http/answer.ts";
import { BoundedStore } from "./http/bounded-store.ts";
import type { SandboxPace, SandboxParts } from "./http/call.ts";
import { cancelTask } from "./http/cancel-task.ts";
import { getFile, getReference, getReferenceResponse, getTask, type KeptFile } from "./http/look-up.ts";
import { carriesKey, hostsOf, listenOn, refuseArrival } from "./http/loopback-guard.ts";
import { readBody } from "./http/read-body.ts";
import { goneSignal } from "./http/sleep.ts";
import { submitModel } from "./http/submit-model.ts";
import { type SandboxModel, sandboxModels } from "./models/catalog.ts";
import { RunRecords } from "./models/run-records.ts";
import { Studio } from "./models/studio.ts";
import { TaskBoard } from "./models/task-board.ts";
import { handleControl, isControl } from "./partners/control.ts";
import { handlePartner, partnerOf } from "./partners/partner-routes.ts";
import { type PartnersDeps, type PartnersOptions, type PartnersPace, partnersOf } from "./partners/partners.ts";
import type { StandInModel } from "./stand-ins/stand-in.ts";
import { StandIns, standInPrefix } from "./stand-ins/stand-in-routes.ts";

export interface SandboxOptions {
  // A free port if absent.
  readonly port?: number;
  // If given, required as a bearer token on everything but files and health.
  readonly credential?: string;
  readonly pace?: Partial<SandboxPace & PartnersPace>;
  readonly partners?: PartnersOptions;
  // Stand-ins of partners whose definitions ship.
  readonly standIns?: readonly StandInModel[];
}

export interface RunningSandbox {
  readonly url: string;
  readonly port: number;
  // Aborts what is running and resolves when nothing is left.
  close(): Promise<void>;
}

const bearer = { header: "Authorization", prefix: "Bearer " } as const;
const usualPace: SandboxPace = { queueSeconds: 0.3, imageSeconds: 1, videoSeconds: 3 };
const fileLimits = { entriesMax: 5000, bytesMax: 256 * 1024 * 1024, keepSeconds: 3600 };
const referencePattern = /^[\x21-\x7e]{1,255}$/;

export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const sandbox = new Sandbox(options);
  const port = await sandbox.listen(options.port ?? 0);
  return { port, url: sandbox.url, close: () => sandbox.close() };
}

class Sandbox {
  url = "";
  readonly #options: SandboxOptions;
  readonly #server: Server;
  readonly #closing = new AbortController();
  readonly #files = new BoundedStore<KeptFile>(fileLimits);
  readonly #studio = new Studio();
  readonly #parts: SandboxParts;
  readonly #partners: PartnersDeps;
  readonly #standIns: StandIns;
  #hosts: ReadonlySet<string> = new Set();

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#parts = {
      studio: this.#studio,
      publish: (bytes, contentType, extension) => this.#publish(bytes, contentType, extension),
      runs: new RunRecords(),
      board: new TaskBoard(this.#closing.signal),
      pace: { ...usualPace, ...options.pace },
      url: () => this.url,
    };
    this.#partners = partnersOf(
      {
        ...this.#parts,
        files: this.#files,
        closing: this.#closing.signal,
        credential: options.credential ?? null,
        pace: options.pace ?? {},
      },
      options.partners ?? {},
    );
    this.#standIns = new StandIns(options.standIns ?? [], this.#parts);
    this.#server = createServer(
      { headersTimeout: 15_000, requestTimeout: 120_000, keepAliveTimeout: 75_000, requireHostHeader: false },
      (request, response) => {
        this.#handle(request, response).catch(() =>
          send(response, errorAnswer(500, "internal_error", "Something went wrong.")),
        );
      },
    );
  }

  async listen(wanted: number): Promise<number> {
    const port = await listenOn(this.#server, wanted);
    this.#hosts = hostsOf(port);
    this.url = `http://127.0.0.1:${port}`;
    return port;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await Promise.all([closed, this.#studio.close()]);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const refused = refuseArrival(request, this.#hosts);
    if (refused) return send(response, { ...refused, headers: { ...refused.headers, Connection: "close" } });
    const [, area = "", name = "", third = "", fourth = "", ...more] = path.split("/");
    const isHead = request.method === "HEAD";
    const isRead = isHead || request.method === "GET";
    if (isRead && path === "/health") return send(response, jsonAnswer(200, { status: "ok" }), isHead);
    if (isRead && area === "files" && third === "") return send(response, getFile(this.#files, name), isHead);
    const partner = partnerOf(path);
    if (partner) return handlePartner(this.#partners, request, response, partner, path);
    if (!carriesKey(request, bearer, this.#options.credential ?? null)) {
      return send(
        response,
        errorAnswer(401, "unauthorized", "Send the credential as a bearer token.", { "WWW-Authenticate": "Bearer" }),
      );
    }
    if (path.startsWith(standInPrefix)) return this.#standIns.handle(request, response);
    if (isControl(path)) return handleControl(this.#partners, request, response, path);
    const model = more.length > 0 || third !== "" ? undefined : sandboxModels.find((known) => known.path === path);
    if (model) return this.#submit(request, response, model);
    if (request.method === "POST" && area === "v1" && name === "tasks" && fourth === "cancel" && more.length === 0)
      return send(response, cancelTask(this.#parts, third));
    const read = area === "v1" && more.length === 0 ? this.#read(name, third, fourth) : null;
    if (read === null) return send(response, errorAnswer(404, "not_found", "There is nothing here."));
    if (!isRead) return send(response, errorAnswer(405, "method_not_allowed", "Use GET.", { Allow: "GET, HEAD" }));
    send(response, read, isHead);
  }

  #read(name: string, id: string, part: string): Answer | null {
    if (name === "stats" && id === "") return jsonAnswer(200, this.#parts.runs.stats());
    if (name === "tasks" && id !== "" && part === "") return getTask(this.#parts, id);
    const reference = name === "references" ? decoded(id) : null;
    if (reference === null || reference === "") return null;
    if (part === "") return getReference(this.#parts, reference);
    return part === "response" ? getReferenceResponse(this.#parts, reference) : null;
  }

  async #submit(request: IncomingMessage, response: ServerResponse, model: SandboxModel): Promise<void> {
    if (request.method !== "POST")
      return send(response, errorAnswer(405, "method_not_allowed", "Use POST.", { Allow: "POST" }));
    const reference = request.headers["x-request-reference"];
    if (reference !== undefined && (typeof reference !== "string" || !referencePattern.test(reference)))
      return send(
        response,
        errorAnswer(400, "invalid_reference", "A reference has 1 to 255 visible ASCII characters."),
      );
    const gone = goneSignal(response, this.#closing.signal);
    const body = await readBody(request);
    if (!Buffer.isBuffer(body)) return send(response, body);
    await submitModel(this.#parts, {
      model,
      body,
      reference: reference ?? null,
      response,
      gone,
      closing: this.#closing.signal,
    });
  }

  #publish(bytes: Uint8Array, contentType: string, extension: string): string {
    const name = `${randomBytes(16).toString("base64url")}.${extension}`;
    this.#files.put(name, { bytes, contentType }, bytes.byteLength);
    return `${this.url}/files/${name}`;
  }
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
