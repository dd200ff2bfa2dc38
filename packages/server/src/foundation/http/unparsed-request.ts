// Handles input that Node's parser could not read, which never becomes a complete request for an area. It still gets a request
// id, the generic body (its area's body once it was routed) and, under the router, a bucket. Its connection is closed, because
// after a broken request we cannot tell where the next one begins.
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Fault } from "../fault.ts";
import { newRequestId } from "../ids.ts";
import type { Log } from "../log.ts";
import type { Admission } from "./admission/admission.ts";
import { shownPath } from "./admission/refusal-facts.ts";
import { answerFault } from "./answer-fault.ts";
import type { Envelope, HeaderValues } from "./area.ts";
import { genericEnvelope } from "./generic-envelope.ts";
import { blockOf } from "./outgoing/address-block.ts";
import type { RouteTable } from "./route-table.ts";

export interface UnparsedError extends NodeJS.ErrnoException {
  // The bytes on which the parser failed. They begin with the request line, unless the headers arrived in pieces.
  readonly rawPacket?: Buffer;
  // How far the parser got in them.
  readonly bytesParsed?: number;
}

export interface UnparsedContext {
  // The headers of the area around a path for errors before routing. For null, the headers of any area.
  earlyHeaders(path: string | null, fault: Fault): HeaderValues;
  envelopeOf(path: string): Envelope;
  // The pending answer on this connection, if its request has a body.
  answering(socket: Socket): ServerResponse | undefined;
  // For the log.
  refused(fault: Fault, request: UnparsedRefusal): void;
}

export interface UnparsedRefusal {
  readonly requestId: string;
  // The connection's own peer: a proxy names its client in headers that were not read.
  readonly peer: string;
  readonly path: string | null;
}

interface UnparsedDeps {
  readonly log: Log;
  readonly admission: Pick<Admission, "refusalLog">;
}

// Watches a server for input that its parser refuses.
export class UnparsedRequests implements UnparsedContext {
  readonly #table: RouteTable;
  // The last pending answer on each connection. A request without a body cannot break any more, so we do not keep its answer: a
  // stream's connection stays open for hours.
  readonly #answering = new WeakMap<Socket, ServerResponse>();

  readonly #deps: UnparsedDeps;

  constructor(table: RouteTable, deps: UnparsedDeps) {
    this.#table = table;
    this.#deps = deps;
  }

  watch(server: Server): void {
    server.on("clientError", (error: UnparsedError, socket) => refuseUnparsed(error, socket as Socket, this));
    server.on("connect", (request, socket) => refuseTunnel(request.url ?? "", socket as Socket, this));
  }

  note(response: ServerResponse): void {
    const { headers, socket } = response.req;
    if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined)
      this.#answering.set(socket, response);
    else this.#answering.delete(socket);
  }

  earlyHeaders(path: string | null, fault: Fault): HeaderValues {
    return this.#table.earlyHeaders(path, fault);
  }

  envelopeOf(path: string): Envelope {
    return this.#table.areaOf(path)?.envelope ?? genericEnvelope;
  }

  answering(socket: Socket): ServerResponse | undefined {
    return this.#answering.get(socket);
  }

  refused(fault: Fault, { requestId, peer, path }: UnparsedRefusal): void {
    const { log, admission } = this.#deps;
    const facts = { requestId, operation: "unread", method: "", peer, path: shownPath(path ?? "") };
    admission.refusalLog.report(log, fault, blockOf(peer), facts);
  }
}

export function refuseUnparsed(error: UnparsedError, socket: Socket, context: UnparsedContext): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const response = context.answering(socket);
  // The body of a request that is already being answered broke. Two answers to one request would look like answers to two
  // requests.
  const isInBody = response !== undefined && !response.req.complete;
  if (isInBody && response.headersSent) {
    socket.destroySoon();
    return;
  }
  const path = isInBody ? pathInTarget(response.req.url ?? "") : readPath(error);
  refuse(socket, faultOf(error.code), path, {
    context,
    headers: (fault) => context.earlyHeaders(path, fault),
    envelope: isInBody && path !== null ? context.envelopeOf(path) : genericEnvelope,
  });
}

// Tunnels are refused. Node would close the connection without an answer.
function refuseTunnel(
  target: string,
  socket: Socket,
  context: Pick<UnparsedContext, "earlyHeaders" | "refused">,
): void {
  const path = pathInTarget(target);
  const fault = new Fault("invalid_request", "CONNECT is not supported.");
  refuse(socket, fault, path, {
    context,
    headers: () => (path === null ? {} : context.earlyHeaders(path, fault)),
    envelope: genericEnvelope,
  });
}

function refuse(
  socket: Socket,
  fault: Fault,
  path: string | null,
  how: {
    context: Pick<UnparsedContext, "refused">;
    headers: (fault: Fault) => HeaderValues;
    envelope: Envelope;
  },
): void {
  const requestId = newRequestId();
  how.context.refused(fault, { requestId, peer: socket.remoteAddress ?? "", path });
  const answer = answerFault(fault, how.envelope, { requestId, path: path ?? "" });
  const body = typeof answer.body === "string" ? answer.body : "";
  const reason =
    { 400: "Bad Request", 408: "Request Timeout", 431: "Request Header Fields Too Large" }[fault.status] ?? "Error";
  const headers = Object.entries({ ...how.headers(fault), ...answer.headers });
  socket.end(
    [
      `HTTP/1.1 ${fault.status} ${reason}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-service-request-id: ${requestId}`,
      "x-content-type-options: nosniff",
      "cache-control: no-store",
      ...headers.map(([name, value]) => `${name}: ${value}`),
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

function faultOf(code: string | undefined): Fault {
  if (code === "HPE_HEADER_OVERFLOW")
    return new Fault("header_fields_too_large", "The request's headers are larger than 16 KiB.");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Fault("request_timeout", "The request did not arrive in time.");
  return new Fault("invalid_request", "This is not a well-formed HTTP/1.1 request.");
}

// Null if the bytes that contained the path are gone. If a packet holds several requests, the last one that the parser began.
function readPath({ rawPacket, bytesParsed }: UnparsedError): string | null {
  const text = rawPacket?.toString("latin1", 0, packetBytesMax) ?? "";
  const first = /^[\r\n]*[!-~]{1,32}[ \t]+(\S+)/.exec(text)?.[1] ?? "";
  const later = [...text.matchAll(/\n[!-~]{1,32}[ \t]+(\S+)[ \t]+HTTP\/\d/g)]
    .filter(({ index }) => index < (bytesParsed ?? packetBytesMax))
    .at(-1)?.[1];
  return pathInTarget(later ?? first);
}

const packetBytesMax = 64 * 1024;

// Also handles a target in absolute form, which is refused as well.
export function pathInTarget(target: string): string | null {
  return /^(?:[a-z]+:\/\/[^/?#]*)?(\/[^?#]*)/i.exec(target)?.[1] ?? null;
}
