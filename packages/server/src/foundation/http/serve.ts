// Mounts areas; the order of the steps of a request is this file:
//   wire form, Host and Origin → mount path → request id → route → CORS → authenticate → admit → handle → answer.
// Authentication comes before "not found" in an authenticated area (decisions, section 1): without a credential an
// unknown path is 401. Fastify is known here and nowhere else; it routes, and leaves bodies and answers to us.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import type { Clock } from "../clock.ts";
import { isUnstorable } from "../database/index.ts";
import { asFault, Fault } from "../fault.ts";
import { newRequestId } from "../ids.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { RequestMeter } from "../request-tally.ts";
import { answerFault, logFault } from "./answer-fault.ts";
import type { Answer, Area, BytesAnswer, HeaderValues, Route } from "./area.ts";
import { limitConnections } from "./connection-limits.ts";
import { answerPreflight, corsHeaders, isPreflight } from "./cors.ts";
import { discardRest } from "./discard-rest.ts";
import { genericEnvelope } from "./generic-envelope.ts";
import { ArrivedRequest, type BodyRules, RoutedRequest, Stopping } from "./incoming-request.ts";
import { type ArrivalPolicy, refuseArrival } from "./loopback-guard.ts";
import type { PeerReader } from "./peer-address.ts";
import { BodyBudget } from "./read-body.ts";
import { type RouteTable, routeTable } from "./route-table.ts";
import { commonHeaders, type SendContext, sendAnswer } from "./send-answer.ts";
import { refuseUnparsed, type UnparsedError } from "./unparsed-request.ts";

export interface ServeOptions {
  readonly areas: readonly Area[];
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  // Made when the port is known: a listener's own address is part of its policy.
  readonly policy: (port: number) => ArrivalPolicy;
  readonly corsOrigins: ReadonlySet<string>;
  readonly readPeer: PeerReader;
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  readonly bufferedBytesMax: number;
}

export interface RunningServer {
  readonly port: number;
  // Stops accepting, ends event streams, waits for running requests up to the limit, lets those that are left say
  // that they go on elsewhere, then cuts.
  stop(drainSeconds: number): Promise<void>;
}

const defaultBodyBytesMax = 1024 * 1024;
const documentPath = "/openapi.json";
// For answers that are given because the drain is over.
const lastWordsMs = 1_000;
const noQuery: Record<string, unknown> = Object.freeze({});

export async function serve(options: ServeOptions): Promise<RunningServer> {
  const door = new FrontDoor(options);
  const app = Fastify({
    serverFactory: (handler) => door.createServer(handler),
    routerOptions: {
      caseSensitive: true,
      maxParamLength: 2048,
      // Routes read the query themselves, as it was sent.
      querystringParser: () => noQuery,
      onBadUrl: (_path, request, response) => door.handleUnknown(request, response),
      onMaxParamLength: (_path, request, response) => door.handleUnknown(request, response),
    },
    exposeHeadRoutes: false,
    logger: false,
  });
  door.mount(app);
  await app.listen({ host: options.host, port: options.port });
  const { port } = app.server.address() as AddressInfo;
  door.open(options.policy(port));
  return { port, stop: (drainSeconds) => door.close(drainSeconds) };
}

class FrontDoor {
  readonly #options: ServeOptions;
  readonly #table: RouteTable;
  readonly #stopping = new Stopping();
  readonly #budget: BodyBudget;
  readonly #unknownMeter: RequestMeter;
  #policy: ArrivalPolicy | null = null;
  #server: Server | null = null;
  #running = 0;
  #whenIdle: (() => void) | null = null;

  constructor(options: ServeOptions) {
    this.#options = options;
    this.#table = routeTable(options.areas);
    this.#budget = new BodyBudget(options.bufferedBytesMax);
    this.#unknownMeter = options.metrics.requestMeter("unknown");
  }

  createServer(handler: (request: IncomingMessage, response: ServerResponse) => void): Server {
    const server = createServer(
      {
        headersTimeout: 15_000,
        // Bodies have a lowest rate instead of a longest time: an upload may take hours, a trickle may not.
        requestTimeout: 0,
        connectionsCheckingInterval: 5_000,
        keepAliveTimeout: 75_000,
        maxHeaderSize: 16 * 1024,
        insecureHTTPParser: false,
        // The guard counts Host headers itself and answers in our words.
        requireHostHeader: false,
      },
      (request, response) => {
        if (this.#admitArrival(request, response)) handler(request, response);
      },
    );
    limitConnections(server, this.#options);
    // An expectation that we do not know is no reason to refuse (RFC 9110, 10.1.1); Node would, without a request id.
    server.on("checkExpectation", (request, response) => server.emit("request", request, response));
    server.on("clientError", (error: UnparsedError, socket) =>
      refuseUnparsed(error, socket as Socket, (path, fault) => this.#table.areaOf(path)?.earlyHeaders?.(fault) ?? {}),
    );
    this.#server = server;
    return server;
  }

  // Requests are taken in the framework's first hook and never reach its handlers: between the two it would read the
  // content type and answer a broken one in its own words, before anybody was asked who is calling.
  mount(app: FastifyInstance): void {
    app.addHook("onRequest", (request, reply, done) => {
      if (!request.is404) return done();
      reply.hijack();
      this.handleUnknown(request.raw, reply.raw);
    });
    app.setNotFoundHandler(neverReached);
    for (const area of this.#options.areas) for (const route of area.routes) this.#mountRoute(app, area, route);
  }

  open(policy: ArrivalPolicy): void {
    this.#policy = policy;
  }

  async close(drainSeconds: number): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#stopping.begin();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    let timer: NodeJS.Timeout | undefined;
    const idleWithin = (milliseconds: number) =>
      new Promise<void>((resolve) => {
        if (this.#running === 0) return resolve();
        this.#whenIdle = resolve;
        timer = setTimeout(resolve, milliseconds);
      }).finally(() => clearTimeout(timer));
    await idleWithin(drainSeconds * 1000);
    // Who is still at work says so to its caller: what goes on without a connection can be collected later.
    this.#stopping.end();
    await idleWithin(lastWordsMs);
    // An answer that has just been written still has to reach the network.
    await new Promise((resolve) => setImmediate(resolve));
    server.closeAllConnections();
    await closed;
  }

  // Before routing: what no area may ever see.
  #admitArrival(request: IncomingMessage, response: ServerResponse): boolean {
    const mark = request.url?.indexOf("?") ?? -1;
    const path = (mark === -1 ? request.url : request.url?.slice(0, mark)) ?? "/";
    const fault = this.#policy
      ? refuseArrival(request, path, this.#policy)
      : new Fault("service_unavailable", "The server is starting.", { retryAfterSeconds: 1 });
    const mount = this.#policy?.mountOf?.(request.headers.host ?? "", path) ?? null;
    if (!fault) {
      // A host that stands for a mount path shows what is mounted there and nothing else.
      if (mount !== null) request.url = `${mount}${request.url}`;
      return true;
    }
    const arrived = new ArrivedRequest(request, newRequestId(), request.socket.remoteAddress ?? "");
    const early = this.#table.areaOf(`${mount ?? ""}${path}`)?.earlyHeaders?.(fault) ?? null;
    this.#answerFault(fault, arrived, response, {
      envelope: genericEnvelope,
      operation: "refused",
      headers: early,
      close: true,
    });
    return false;
  }

  #mountRoute(app: FastifyInstance, area: Area, route: Route<unknown>): void {
    const { operation } = route;
    const url = `${area.mountPath ?? ""}${operation.path}`.replace(/\{(\w+)\}/g, ":$1");
    const meter = this.#options.metrics.requestMeter(operation.id);
    const body: BodyRules = {
      bytesMax: route.bodyBytesMax ?? defaultBodyBytesMax,
      budget: this.#budget,
      clock: this.#options.clock,
    };
    app.route({
      method: operation.method === "GET" ? ["GET", "HEAD"] : operation.method,
      url,
      handler: neverReached,
      // Three parameters: with two the framework would wait for a promise.
      onRequest: (request, reply, _done) => {
        reply.hijack();
        const started = performance.now();
        const response = reply.raw;
        this.#begin(response, meter, started);
        const arrived = this.#arrive(request.raw);
        const cors = corsHeaders(area.cors, request.raw.headers.origin, this.#options.corsOrigins);
        try {
          const done = this.#run(area, route, arrived, response, request.params as Record<string, string>, body, cors);
          // Public reads answer in the same turn; only what waits pays for a promise.
          if (done) done.catch((thrown) => this.#fail(thrown, area, route, arrived, response, cors));
        } catch (thrown) {
          this.#fail(thrown, area, route, arrived, response, cors);
        }
      },
    });
  }

  #run(
    area: Area,
    route: Route<unknown>,
    arrived: ArrivedRequest,
    response: ServerResponse,
    params: Record<string, string>,
    body: BodyRules,
    cors: HeaderValues | null,
  ): void | Promise<void> {
    const rules = { body, stopping: this.#stopping };
    if (area.authenticate === null && area.admit === undefined) {
      const answer = handle(route, new RoutedRequest(arrived, response, undefined, params, rules));
      return answer instanceof Promise
        ? answer.then((ready) => this.#send(ready, arrived, response, cors))
        : this.#send(answer, arrived, response, cors);
    }
    return (async () => {
      const caller = area.authenticate === null ? undefined : await area.authenticate(arrived);
      await area.admit?.(caller, arrived);
      const answer = await handle(route, new RoutedRequest(arrived, response, caller, params, rules));
      await this.#send(answer, arrived, response, cors);
    })();
  }

  // No route: preflights, 405 with Allow, 404, each in the envelope and behind the authentication of the area around it.
  handleUnknown(request: IncomingMessage, response: ServerResponse): void {
    this.#begin(response, this.#unknownMeter, performance.now());
    const arrived = this.#arrive(request);
    const area = this.#table.areaOf(arrived.path);
    const methods = this.#table.methodsAt(arrived.path);
    const cors = corsHeaders(area?.cors ?? "listed", request.headers.origin, this.#options.corsOrigins);
    const fail = (thrown: unknown) => {
      const envelope = area?.envelope ?? genericEnvelope;
      this.#answerFault(asFault(thrown), arrived, response, { envelope, operation: "unknown", headers: cors });
    };
    if (isPreflight(arrived) && methods.length > 0 && cors?.["access-control-allow-origin"] !== undefined) {
      void this.#send(answerPreflight(methods, cors), arrived, response, null);
      return;
    }
    const refuse = async () => {
      const caller = await area?.authenticate?.(arrived);
      // Asking for what is not there counts as asking.
      await area?.admit?.(caller, arrived);
      // A path that matches but did not route (bad percent-encoding) names nothing.
      throw methods.length > 0 && !methods.includes(arrived.method)
        ? new Fault("method_not_allowed", `This path knows ${methods.join(", ")}.`, { allow: methods })
        : nothingHere(this.#table.methodsAt(documentPath).length > 0);
    };
    refuse().catch(fail);
  }

  #arrive(request: IncomingMessage): ArrivedRequest {
    const peer = this.#options.readPeer(
      request.socket.remoteAddress ?? "",
      request.headers["x-forwarded-for"] as string | undefined,
    );
    return new ArrivedRequest(request, newRequestId(), peer);
  }

  #begin(response: ServerResponse, meter: RequestMeter, started: number): void {
    this.#running += 1;
    // It comes once by itself; `once` would cost more than the count.
    response.on("close", () => {
      this.#running -= 1;
      meter.count(response.headersSent ? response.statusCode : 499, (performance.now() - started) / 1000);
      if (this.#running === 0) this.#whenIdle?.();
    });
  }

  #context(arrived: ArrivedRequest, extraHeaders: HeaderValues | null): SendContext {
    return {
      requestId: arrived.requestId,
      isHead: arrived.method === "HEAD",
      isDraining: this.#stopping.isDraining,
      extraHeaders,
    };
  }

  #send(
    answer: Answer,
    arrived: ArrivedRequest,
    response: ServerResponse,
    cors: HeaderValues | null,
  ): void | Promise<void> {
    const context = this.#context(arrived, cors);
    if (!("takeOver" in answer)) return sendAnswer(response, answer, context);
    const { onStop } = this.#stopping;
    return answer.takeOver({ request: arrived.raw, response, headers: commonHeaders(context), onStop });
  }

  #fail(
    thrown: unknown,
    area: Area,
    route: Route<unknown>,
    arrived: ArrivedRequest,
    response: ServerResponse,
    cors: HeaderValues | null,
  ): void {
    const fault = isUnstorable(thrown) ? unstorableText(thrown) : asFault(thrown);
    this.#answerFault(fault, arrived, response, {
      envelope: area.envelope,
      operation: route.operation.id,
      headers: cors,
    });
  }

  #answerFault(
    fault: Fault,
    arrived: ArrivedRequest,
    response: ServerResponse,
    how: { envelope: typeof genericEnvelope; operation: string; headers: HeaderValues | null; close?: boolean },
  ): void {
    logFault(this.#options.log, fault, {
      requestId: arrived.requestId,
      operation: how.operation,
      method: arrived.method,
    });
    // 499 is a word for logs (decisions, section 3): nobody is there to read it, and nobody may be told it.
    if (response.headersSent || response.destroyed || fault.code === "client_disconnected") {
      response.destroy();
      return;
    }
    // A body that nobody read would be taken for the next request: say so and close.
    const { complete, headers } = arrived.raw;
    const isChunked = headers["transfer-encoding"] !== undefined;
    const hasUnreadBody = !complete && (isChunked || (headers["content-length"] ?? "0") !== "0");
    const close: HeaderValues = how.close || hasUnreadBody || isChunked ? { connection: "close" } : {};
    // Who was refused for being slow has had its time.
    const rest = hasUnreadBody && fault.code !== "request_timeout" ? { rest: discardRest(arrived.raw) } : {};
    const answer: BytesAnswer = answerFault(fault, how.envelope, arrived);
    void sendAnswer(response, answer, { ...this.#context(arrived, { ...how.headers, ...close }), ...rest });
  }
}

// No id and no name holds a NUL character, and no database could look for one: such a path names nothing, whatever the
// operation behind it, and says so to whoever may ask.
function handle(route: Route<unknown>, incoming: RoutedRequest<unknown>): Answer | Promise<Answer> {
  if (incoming.path.includes("%00")) throw nothingHere(false);
  return route.handle(incoming);
}

// Whatever no schema caught on its way to the database.
function unstorableText(cause: unknown): Fault {
  const words = "A text of the request holds the character U+0000, which cannot be stored.";
  return new Fault("invalid_request", words, { cause });
}

// Not every listener serves the document of what it serves.
function nothingHere(hasDocument: boolean): Fault {
  const where = hasDocument ? ` GET ${documentPath} lists every operation.` : "";
  return new Fault("not_found", `There is nothing at this path.${where}`);
}

function neverReached(): never {
  throw new Error("a request got past the first hook");
}
