// Sends ended spans to a collector in batches, in the background: adding a span to a bounded list is all that a call ever waits
// for. If the list is full the span is dropped and counted; the call is never affected. A batch that did not arrive is resent
// while that may help, and a batch that the collector refuses is dropped. At shutdown the rest is sent within the time allowed.
import { Agent, request } from "undici";
import { jsonOrUndefined } from "../json/foreign-json.ts";
import { isRecord } from "../json/json-record.ts";
import { type Attributes, exportRequest } from "./otlp-json.ts";
import type { EndedSpan } from "./span.ts";

export interface OtlpExporterOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Attributes;
  readonly scope: { readonly name: string; readonly version: string };
  readonly exported: (spans: number) => void;
  readonly dropped: (spans: number) => void;
  readonly spansMax?: number;
  readonly batchMax?: number;
  readonly timeoutMs?: number;
}

export interface OtlpExporter {
  add(span: EndedSpan): void;
  // Sends everything queued. Throws if a batch did not arrive; the next round sends it again.
  round(): Promise<void>;
  // The last round: what does not arrive now is dropped.
  close(): Promise<void>;
}

// OTLP/HTTP, Failures: only these may be retried.
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const answerBytesMax = 64 * 1024;

export function createOtlpExporter(options: OtlpExporterOptions): OtlpExporter {
  const { spansMax = 8_192, batchMax = 512, timeoutMs = 10_000 } = options;
  const agent = new Agent({ connections: 1, connect: { timeout: timeoutMs }, maxResponseSize: answerBytesMax });
  let waiting: EndedSpan[] = [];
  let unsent: readonly EndedSpan[] = [];
  let isClosed = false;

  async function send(batch: readonly EndedSpan[]): Promise<void> {
    const answer = await request(options.url, {
      method: "POST",
      headers: { ...options.headers, "content-type": "application/json" },
      body: JSON.stringify(exportRequest(options.resource, options.scope, batch)),
      signal: AbortSignal.timeout(timeoutMs),
      dispatcher: agent,
    });
    const text = await answer.body.text();
    if (passing.has(answer.statusCode)) throw new Error(`the collector answered ${answer.statusCode}`);
    unsent = [];
    if (answer.statusCode >= 300) {
      options.dropped(batch.length);
      throw new Error(`the collector refused ${batch.length} spans with ${answer.statusCode}`);
    }
    const rejected = Math.min(batch.length, rejectedIn(text));
    if (rejected > 0) options.dropped(rejected);
    options.exported(batch.length - rejected);
  }

  async function round(): Promise<void> {
    while (unsent.length > 0 || waiting.length > 0) {
      if (unsent.length === 0) {
        unsent = waiting.slice(0, batchMax);
        waiting = waiting.slice(batchMax);
      }
      await send(unsent);
    }
  }

  return {
    add(span) {
      if (isClosed || waiting.length + unsent.length >= spansMax) options.dropped(1);
      else waiting.push(span);
    },
    round,
    async close() {
      try {
        await round();
      } finally {
        isClosed = true;
        const left = waiting.length + unsent.length;
        if (left > 0) options.dropped(left);
        [waiting, unsent] = [[], []];
        await agent.destroy();
      }
    },
  };
}

// ExportTraceServiceResponse.partial_success: how many spans of an accepted batch were rejected.
function rejectedIn(text: string): number {
  const answer = jsonOrUndefined(text);
  const partial = isRecord(answer) ? answer["partialSuccess"] : null;
  const rejected = isRecord(partial) ? Number(partial["rejectedSpans"] ?? 0) : 0;
  return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
}
