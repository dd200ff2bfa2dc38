// A trace collector on loopback that accepts only OTLP over HTTP in JSON. It must be sent an ExportTraceServiceRequest of
// opentelemetry-proto 1.x to the letter: an unknown member, a number where the JSON mapping wants text, or an id of the
// wrong length is refused (400) and recorded as a problem that tests check.
import { once } from "node:events";
import { createServer } from "node:http";
import { Type } from "typebox";
import { compileSchema } from "../../src/foundation/json/schema.ts";

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly startNano: bigint;
  readonly endNano: bigint;
  // Which process sent it, by its own account and in the headers of its request: several may report to one collector.
  readonly instance: string;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface TraceCollector {
  // Without the path, as OTEL_EXPORTER_OTLP_ENDPOINT expects it.
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  readonly headers: readonly Readonly<Record<string, unknown>>[];
  readonly resources: readonly Readonly<Record<string, unknown>>[];
  // Everything received that was not OTLP.
  readonly problems: readonly string[];
  // The spans of one trace by start time; within the same millisecond, a span comes after its parent.
  trace(traceId: string): readonly CollectedSpan[];
  // Answers the next requests with these instead; then 200 again.
  answerNext(...answers: readonly { readonly status: number; readonly body?: string }[]): void;
  close(): Promise<void>;
}

const closed = { additionalProperties: false } as const;
const digits = (count: number) => Type.String({ pattern: `^(?!0{${count}})[0-9a-f]{${count}}$` });
const nano = Type.String({ pattern: "^[1-9][0-9]{15,19}$" });
const value = Type.Union([
  Type.Object({ stringValue: Type.String() }, closed),
  Type.Object({ boolValue: Type.Boolean() }, closed),
  Type.Object({ intValue: Type.String({ pattern: "^-?[0-9]{1,19}$" }) }, closed),
  Type.Object({ doubleValue: Type.Number() }, closed),
]);
const attributes = Type.Array(Type.Object({ key: Type.String({ minLength: 1 }), value }, closed));
const span = Type.Object(
  {
    traceId: digits(32),
    spanId: digits(16),
    traceState: Type.Optional(Type.String()),
    parentSpanId: Type.Optional(digits(16)),
    flags: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })),
    name: Type.String({ minLength: 1 }),
    kind: Type.Integer({ minimum: 0, maximum: 5 }),
    startTimeUnixNano: nano,
    endTimeUnixNano: nano,
    attributes: Type.Optional(attributes),
    status: Type.Optional(
      Type.Object(
        {
          message: Type.Optional(Type.String()),
          code: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })),
        },
        closed,
      ),
    ),
  },
  closed,
);
const scope = Type.Object({ name: Type.String(), version: Type.Optional(Type.String()) }, closed);
const exportRequest = Type.Object(
  {
    resourceSpans: Type.Array(
      Type.Object(
        {
          resource: Type.Object({ attributes }, closed),
          scopeSpans: Type.Array(Type.Object({ scope, spans: Type.Array(span) }, closed)),
        },
        closed,
      ),
    ),
  },
  closed,
);
const shape = compileSchema(exportRequest);

const plain = (list: readonly { readonly key: string; readonly value: object }[] = []) =>
  Object.fromEntries(list.map((each) => [each.key, Object.values(each.value)[0]]));

export async function traceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const headers: Record<string, unknown>[] = [];
  const resources: Record<string, unknown>[] = [];
  const problems: string[] = [];
  const answers: { readonly status: number; readonly body?: string }[] = [];

  function take(text: string, sentWith: Readonly<Record<string, unknown>>): void {
    const body: unknown = JSON.parse(text);
    if (!shape.accepts(body)) throw new Error(`not an ExportTraceServiceRequest: ${text.slice(0, 2000)}`);
    for (const { resource, scopeSpans } of body.resourceSpans) {
      const about = plain(resource.attributes);
      resources.push(about);
      for (const each of scopeSpans.flatMap((one) => one.spans))
        spans.push({
          traceId: each.traceId,
          spanId: each.spanId,
          parentSpanId: each.parentSpanId ?? null,
          name: each.name,
          kind: each.kind,
          attributes: plain(each.attributes),
          isError: each.status?.code === 2,
          startNano: BigInt(each.startTimeUnixNano),
          endNano: BigInt(each.endTimeUnixNano),
          instance: String(about["service.instance.id"]),
          resource: about,
          headers: sentWith,
        });
    }
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    headers.push(request.headers);
    const said = answers.shift();
    if (said) return void response.writeHead(said.status).end(said.body ?? "");
    try {
      const isOurs = request.method === "POST" && request.url === "/v1/traces";
      if (!isOurs || request.headers["content-type"] !== "application/json") throw new Error("not a request of OTLP");
      take(Buffer.concat(chunks).toString("utf8"), request.headers);
      response.writeHead(200, { "content-type": "application/json" }).end('{"partialSuccess":{}}');
    } catch (error) {
      problems.push(String(error));
      response.writeHead(400).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    headers,
    resources,
    problems,
    trace(traceId) {
      const ofTrace = spans.filter((each) => each.traceId === traceId);
      const depth = ({ parentSpanId }: CollectedSpan): number => {
        const parent = ofTrace.find(({ spanId }) => spanId === parentSpanId);
        return parent ? depth(parent) + 1 : 0;
      };
      return ofTrace.toSorted((a, b) => Number(a.startNano - b.startNano) || depth(a) - depth(b));
    },
    answerNext: (...next) => void answers.push(...next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
