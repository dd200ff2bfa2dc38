// Traces a request as a span, continued from the caller's traceparent or starting a new trace. Everything it leads to, now or
// stored for later, belongs to that span. The span names the operation and never contains what was sent.
import type { ServerResponse } from "node:http";
import type { Tracer } from "../tracing/index.ts";
import type { Arrival } from "./area.ts";
import { whenOver } from "./streams/detach-socket.ts";

export function traceRequest(
  tracer: Tracer,
  operation: { readonly id: string; readonly method: string; readonly path: string },
  arrived: Pick<Arrival, "requestId" | "headers" | "method">,
  response: ServerResponse,
  run: () => void,
): void {
  const { traceparent } = arrived.headers;
  const span = tracer.begin({
    name: `${arrived.method} ${operation.path}`,
    kind: "server",
    after: typeof traceparent === "string" ? traceparent : null,
    attributes: {
      "http.request.method": arrived.method,
      "http.route": operation.path,
      "atelier.operation": operation.id,
      "atelier.request_id": arrived.requestId,
    },
  });
  whenOver(response, (status) => {
    if (status === 499) span.failed("the caller disconnected");
    else span.note("http.response.status_code", status);
    if (status >= 500) span.failed(`answered ${status}`);
    span.end();
  });
  tracer.within(span, run);
}
