// What Node's parser could not read never becomes a request, so no area answers for it. It still gets a request id and
// the generic body, and its connection is closed: after a broken request nobody knows where the next one begins.
import type { Socket } from "node:net";
import { Fault } from "../fault.ts";
import { newRequestId } from "../ids.ts";
import type { HeaderValues } from "./area.ts";

export interface UnparsedError extends NodeJS.ErrnoException {
  // The bytes in which the parser stumbled; they begin with the request line unless the headers came in pieces.
  readonly rawPacket?: Buffer;
}

// `earlyHeaders`: what the area around a path says about errors before routing.
export function refuseUnparsed(
  error: UnparsedError,
  socket: Socket,
  earlyHeaders: (path: string, fault: Fault) => HeaderValues,
): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const fault = faultOf(error.code);
  const body = JSON.stringify({ error: fault.code, message: fault.message });
  const reason =
    { 400: "Bad Request", 408: "Request Timeout", 431: "Request Header Fields Too Large" }[fault.status] ?? "Error";
  const headers = Object.entries(earlyHeaders(pathOf(error), fault)).map(([name, value]) => `${name}: ${value}`);
  socket.end(
    [
      `HTTP/1.1 ${fault.status} ${reason}`,
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      `x-service-request-id: ${newRequestId()}`,
      "x-content-type-options: nosniff",
      "cache-control: no-store",
      ...headers,
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

function pathOf({ rawPacket }: UnparsedError): string {
  return /^[A-Z]+ (\/[^ ?\r\n]*)/.exec(rawPacket?.toString("latin1", 0, 1024) ?? "")?.[1] ?? "";
}
