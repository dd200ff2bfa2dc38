// Mounts areas and runs each request through these steps, in this order:
//   wire form, Host and Origin → rim, mount path → request id → route → CORS → authenticate → admit → turn → handle → answer.
// Authentication comes before "not found" in an authenticated area (decisions, section 1): without a credential an unknown path
// is 401. This is the only file that knows the HTTP router, and it uses it only to find the route of a path.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import findMyWay, { type Handler, type HTTPMethod, type HTTPVersion, type Instance } from "find-my-way";
import type { Clock } from "../clock.ts";
import { isUnstorable } from "../database/index.ts";
import { asFault, Fault } from "../fault.ts";
import { newRequestId } from "../ids.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { RequestMeter } from "../request-tally.ts";
import type { Tracer } from "../tracing/index.ts";
import type { Admission } from "./admission/admission.ts";
import { inTurn, type Turn } from "./admission/fair-turns.ts";
import { isPaced } from "./admission/paced-refusals.ts";
import { refusalFacts } from "./admission/refusal-facts.ts";
import { answerFault } from "./answer-fault.ts";
import { noted } from "./answered-error.ts";
import type { Answer, Area, HeaderValues, Route } from "./area.ts";
import { discardRefusedBody } from "./body/discard-rest.ts";
import { BodyBudget } from "./body/read-body.ts";
import { answerOptions } from "./cors.ts";
import { genericEnvelope } from "./generic-envelope.ts";
import { documentPath, handle, nothingHere, unstorableText } from "./handle-route.ts";
import { ArrivedRequest, type BodyRules, RoutedRequest, Stopping } from "./incoming-request.ts";
import { type ArrivalPolicy, refuseArrival } from "./loopback-guard.ts";
import type { Mounted, Refusing } from "./mounted-route.ts";
import { KnownPages, type PageOrigins } from "./page-origins.ts";
import type { PeerReader } from "./peer-address.ts";
import { type Rim, responsesOf } from "./rim.ts";
import { type RouteTable, routeTable } from "./route-table.ts";
import { commonHeaders, type SendContext, sendAnswer } from "./send-answer.ts";
import { whenOver } from "./streams/detach-socket.ts";
import { cutWith, endingWith, watchOf } from "./streams/lasting-answer.ts";
import { Upgrades } from "./streams/upgrades.ts";
import { traceRequest } from "./trace-request.ts";
import { pathInTarget, UnparsedRequests } from "./unparsed-request.ts";
import { wireRules } from "./wire-rules.ts";

export interface ServeOptions {
  readonly areas: readonly Area[];
  readonly host: string;
  readonly port: number;
  // Other processes listen on the same address, and the system distributes connections among them.
  readonly isShared?: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  // Null if tracing is off.
  readonly tracer?: Tracer | null;
  // Built once the port is known: a listener's own address is part of its policy.
  readonly policy: (port: number) => ArrivalPolicy;
  readonly corsOrigins: ReadonlySet<string>;
  // Pages of these origins may read answers to GET, and nothing else. Called for each request, since addresses are known late.
  readonly readerOrigins?: () => ReadonlySet<string>;
  readonly readPeer: PeerReader;
  // Shared by all listeners of a process.
  readonly admission: Admission;
  readonly bufferedBytesMax: number;
  // Pages of other origins that some credential names. Null if there are none.
  readonly pages?: PageOrigins | null;
  // Other spellings of requests and answers. Null if there are none.
  readonly rim?: Rim | null;
  // The hint for an unknown path that a switch would enable. Null if there is none.
  readonly hintAt?: (path: string) => string | null;
}

export interface RunningServer {
  readonly port: number;
  // Stops accepting, ends event streams and waits for running requests up to the limit. Requests still running then tell their
  // callers that the work continues elsewhere. Then connections are cut.
  stop(drainSeconds: number): Promise<void>;
}

const defaultBodyBytesMax = 1024 * 1024;
const lastWordsMs = 1_000;
// Connections that the system queues until we accept them. Beyond this number, callers wait for seconds before they retry.
const connectionBacklog = 4_096;
const noQuery: Record<string, unknown> = Object.freeze({});

export async function serve(options: ServeOptions): Promise<RunningServer> {
  const entrance = new HttpEntrance(options);
  const server = entrance.createServer();
  const { host, port: wanted, isShared = false } = options;
  server.listen({ host, port: wanted, backlog: connectionBacklog, reusePort: isShared });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  entrance.open(options.policy(port));
  return { port, stop: (drainSeconds) => entrance.close(drainSeconds) };
}

class HttpEntrance {
  readonly #options: ServeOptions;
  readonly #table: RouteTable;
  readonly #stopping = new Stopping();
  readonly #budget: BodyBudget;
  readonly #unknownMeter: RequestMeter;
  readonly #alwaysAnswered: ReadonlySet<string>;
  readonly #unparsed: UnparsedRequests;
  readonly #upgrades: Upgrades;
  readonly #pages: KnownPages;
  readonly #routes: Instance<HTTPVersion.V1>;
  #policy: ArrivalPolicy | null = null;
  #server: Server | null = null;
  #running = 0;
  #whenIdle: (() => void) | null = null;

  constructor(options: ServeOptions) {
    this.#options = options;
    this.#table = routeTable(options.areas);
    this.#unparsed = new UnparsedRequests(this.#table, options);
    this.#upgrades = new Upgrades(options.areas);
    this.#pages = new KnownPages(options);
    this.#budget = new BodyBudget(options.bufferedBytesMax);
    this.#unknownMeter = options.metrics.requestMeter("unknown");
    const routes = options.areas.flatMap((area) => area.routes).filter((route) => route.isAlwaysAnswered);
    this.#alwaysAnswered = new Set(routes.map(({ operation }) => operation.path));
    const unknown = (request: IncomingMessage, response: ServerResponse) => this.#handleUnknown(request, response);
    this.#routes = findMyWay({
      caseSensitive: true,
      maxParamLength: 2048,
      // Routes parse the query themselves, as it was sent.
      querystringParser: () => noQuery,
      defaultRoute: unknown,
      onBadUrl: (_path, request, response) => unknown(request, response),
      onMaxParamLength: (_path, request, response) => unknown(request, response),
    });
    for (const area of options.areas) for (const route of area.routes) this.#mountRoute(area, route);
  }

  createServer(): Server {
    const operationAt = (method: string, path: string) => this.#routes.find(method as HTTPMethod, path)?.store;
    const receive = (request: IncomingMessage, response: ServerResponse) =>
      this.#pages.look(request, operationAt, () => {
        if (this.#admitArrival(request, response)) this.#routes.lookup(request, response);
      });
    const server = createServer(
      {
        ...wireRules,
        ...(this.#options.rim ? { ServerResponse: responsesOf(this.#options.rim) } : {}),
        ...this.#upgrades.options,
      },
      receive,
    );
    this.#upgrades.watch(server, receive);
    this.#options.admission.connections.watch(server);
    // An unknown expectation is no reason to refuse (RFC 9110, 10.1.1). Node would refuse it, and without a request id.
    server.on("checkExpectation", (request, response) => server.emit("request", request, response));
    this.#unparsed.watch(server);
    this.#server = server;
    return server;
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
    // Requests still running now answer their callers: work that continues without a connection can be collected later.
    this.#stopping.end();
    await idleWithin(lastWordsMs);
    // An answer that has just been written still has to reach the network.
    await new Promise((resolve) => setImmediate(resolve));
    server.closeAllConnections();
    await closed;
  }

  // Runs before routing and rejects what no area should ever see.
  #admitArrival(request: IncomingMessage, response: ServerResponse): boolean {
    this.#unparsed.note(response);
    const mark = request.url?.indexOf("?") ?? -1;
    const path = (mark === -1 ? request.url : request.url?.slice(0, mark)) ?? "/";
    const fault = this.#policy
      ? (this.#refuseSurplus(request, response, path) ??
        refuseArrival(request, path, this.#policy, this.#pages.has(request)))
      : new Fault("service_unavailable", "The server is starting.", { retryAfterSeconds: 1 });
    const mount = this.#policy?.mountOf?.(request.headers.host ?? "", path) ?? null;
    if (!fault) {
      this.#options.rim?.arrive(request);
      // A host with a mount path shows only what is mounted there.
      if (mount !== null) request.url = `${mount}${request.url}`;
      return true;
    }
    const arrived = this.#arrive(request);
    const early = this.#table.earlyHeaders(`${mount ?? ""}${pathInTarget(path) ?? path}`, fault);
    this.#answerFault(fault, arrived, response, {
      envelope: genericEnvelope,
      operation: "refused",
      headers: early,
      close: true,
    });
    return false;
  }

  // Over the connection limit: a health check is still answered, everything else is refused, and the connection is closed.
  #refuseSurplus(request: IncomingMessage, response: ServerResponse, path: string): Fault | null {
    if (!this.#options.admission.connections.isSurplus(request.socket)) return null;
    response.shouldKeepAlive = false;
    if (this.#alwaysAnswered.has(path)) return null;
    const words = "The server has reached its connection limit. Try again shortly.";
    return new Fault("service_unavailable", words, { retryAfterSeconds: 1, isOverload: true });
  }

  #mountRoute(area: Area, route: Route<unknown>): void {
    const { operation } = route;
    const url = `${area.mountPath ?? ""}${operation.path}`.replace(/\{(\w+)\}/g, ":$1");
    const meter = this.#options.metrics.requestMeter(operation.id);
    const body: BodyRules = {
      bytesMax: route.bodyBytesMax ?? defaultBodyBytesMax,
      budget: this.#budget,
      clock: this.#options.clock,
      respell: route.respellBody,
    };
    const mounted: Mounted = { area, route, body };
    const tracer = route.isAlwaysAnswered ? null : (this.#options.tracer ?? null);
    const methods: HTTPMethod[] = operation.method === "GET" ? ["GET", "HEAD"] : [operation.method];
    const receive: Handler<HTTPVersion.V1> = (request, response, found) => {
      this.#begin(response, meter, performance.now());
      const arrived = this.#arrive(request);
      arrived.operation = operation;
      const params = found as Record<string, string>;
      if (tracer === null) this.#answer(mounted, arrived, response, params);
      else traceRequest(tracer, operation, arrived, response, () => this.#answer(mounted, arrived, response, params));
    };
    this.#routes.on(methods, url, receive, operation.id);
  }

  #answer(mounted: Mounted, arrived: ArrivedRequest, response: ServerResponse, params: Record<string, string>): void {
    const { area, route } = mounted;
    const cors = this.#pages.corsOf(arrived.raw, area.cors, route.operation.method);
    try {
      const done = this.#run(mounted, arrived, response, params, cors);
      // Public reads answer in the same turn. Only a request that waits pays for a promise.
      if (done) done.catch((thrown) => this.#fail(thrown, mounted, arrived, response, cors));
    } catch (thrown) {
      this.#fail(thrown, mounted, arrived, response, cors);
    }
  }

  #run(
    { area, route, body }: Mounted,
    arrived: ArrivedRequest,
    response: ServerResponse,
    params: Record<string, string>,
    cors: HeaderValues | null,
  ): void | Promise<void> {
    const { turns, addresses } = this.#options.admission;
    const answerTo = (caller: unknown, turn: Turn | null): Answer | Promise<Answer> =>
      handle(route, new RoutedRequest(arrived, response, caller, params, { body, stopping: this.#stopping, turn }));
    const isPublic = area.authenticate === null && area.admit === undefined;
    if (isPublic && !route.isAlwaysAnswered && !area.isSigned) addresses.admit(arrived.flow);
    // A prepared answer is sent in the same turn, without awaiting anything.
    if (isPublic && ((turns.isIdle && route.operation.method === "GET") || route.isAlwaysAnswered)) {
      const answer = answerTo(undefined, null);
      if (!(answer instanceof Promise)) return this.#send(answer, arrived, response, cors);
      const turn = turns.turnOf(arrived.flow);
      if (!route.isAlwaysAnswered) void turn.take();
      return answer.finally(() => turn.leave()).then((ready) => this.#send(ready, arrived, response, cors));
    }
    return (async () => {
      const caller = area.authenticate === null ? undefined : await area.authenticate(arrived);
      if (area.flowOf) arrived.flow = area.flowOf(caller);
      arrived.caller = caller;
      arrived.watch = watchOf(area, caller);
      await area.admit?.(caller, arrived);
      const turn = turns.turnOf(arrived.flow);
      if (!route.isAlwaysAnswered) await turn.take();
      const answer = await inTurn(turn, () => answerTo(caller, turn));
      await this.#send(answer, arrived, response, cors);
    })();
  }

  // No route matched: preflights, 405 with Allow, and 404, each in the envelope and behind the authentication of the
  // surrounding area.
  #handleUnknown(request: IncomingMessage, response: ServerResponse): void {
    this.#begin(response, this.#unknownMeter, performance.now());
    const arrived = this.#arrive(request);
    const area = this.#table.areaOf(arrived.path);
    const methods = this.#table.methodsAt(arrived.path);
    const cors = this.#pages.corsOf(request, area?.cors ?? "listed", null);
    const fail = (thrown: unknown) => {
      const envelope = area?.envelope ?? genericEnvelope;
      this.#answerFault(asFault(thrown), arrived, response, { envelope, operation: "unknown", headers: cors });
    };
    const optionsAnswer = answerOptions(arrived, { methods, cors, offered: area?.options });
    if (optionsAnswer !== null) return void this.#send(optionsAnswer, arrived, response, null);
    const refuse = async () => {
      if (!area?.authenticate && !area?.isSigned) this.#options.admission.addresses.admit(arrived.flow);
      const caller = await area?.authenticate?.(arrived);
      if (area?.flowOf) arrived.flow = area.flowOf(caller);
      arrived.caller = caller;
      // A request for an unknown path counts against the rate as well.
      await area?.admit?.(caller, arrived);
      // A path that matches but did not route (bad percent-encoding) names nothing.
      throw methods.length > 0 && !methods.includes(arrived.method)
        ? new Fault("method_not_allowed", `This path only supports ${methods.join(", ")}.`, { allow: methods })
        : nothingHere(this.#table.methodsAt(documentPath).length > 0, this.#options.hintAt?.(arrived.path) ?? null);
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
    const { connections } = this.#options.admission;
    const { socket } = response.req;
    connections.began(socket);
    whenOver(response, (status) => {
      this.#running -= 1;
      connections.ended(socket);
      meter.count(status, (performance.now() - started) / 1000);
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
    const { admission } = this.#options;
    if (!("takeOver" in answer))
      return sendAnswer(response, cutWith(noted(admission, arrived, answer), arrived.watch), context);
    const onEnd = endingWith(this.#stopping.onStop, arrived.watch);
    const upgrade = this.#upgrades.of(arrived.raw);
    return answer.takeOver({ request: arrived.raw, response, headers: commonHeaders(context), onEnd, upgrade });
  }

  #fail(
    thrown: unknown,
    { area, route }: Mounted,
    arrived: ArrivedRequest,
    response: ServerResponse,
    cors: HeaderValues | null,
  ): void {
    const fault = isUnstorable(thrown) ? unstorableText(thrown) : asFault(thrown);
    this.#answerFault(fault, arrived, response, {
      envelope: area.envelope,
      operation: route.operation.id,
      headers: cors,
      isAtOnce: route.isAlwaysAnswered ?? false,
    });
  }

  #answerFault(fault: Fault, arrived: ArrivedRequest, response: ServerResponse, how: Refusing): void {
    const { admission, log } = this.#options;
    const { requestId, method } = arrived;
    const facts = { requestId, operation: how.operation, method, ...refusalFacts(arrived, arrived.caller) };
    admission.refusalLog.report(log, fault, arrived.flow, facts);
    // 499 exists only in logs (decisions, section 3): it is never sent, since the caller is gone.
    if (response.headersSent || response.destroyed || fault.code === "client_disconnected") {
      response.destroy();
      return;
    }
    const { isClosing, ...rest } = discardRefusedBody(arrived.raw, fault);
    const close: HeaderValues = how.close || isClosing ? { connection: "close" } : {};
    const answer = answerFault(fault, how.envelope, arrived);
    if (!fault.isOverload) noted(admission, arrived, answer);
    const context = { ...this.#context(arrived, { ...how.headers, ...close }), ...rest };
    const send = () => void sendAnswer(response, answer, context);
    if (how.isAtOnce || !isPaced(fault)) send();
    else admission.refusals.refuse(arrived.flow, { send, drop: () => void response.destroy() });
  }
}
