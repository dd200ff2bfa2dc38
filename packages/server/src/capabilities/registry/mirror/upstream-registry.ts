// The client of the upstream registry. Sends only GET, and never a credential, neither ours nor a caller's.

import type { GuardedClient } from "../../../foundation/http/outgoing/guarded-client.ts";
export type UpstreamReply =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly etag: string | null;
      readonly location: string | null;
      // By upstream's clock.
      readonly date: Date | null;
      readonly body: Buffer;
    }
  | { readonly kind: "away"; readonly why: string };

export interface UpstreamRegistry {
  readonly url: string;
  get(path: string, etag?: string | null): Promise<UpstreamReply>;
}

const answerBytesMax = 32 * 1024 * 1024;

export function createUpstreamRegistry(client: Pick<GuardedClient, "request">, url: string): UpstreamRegistry {
  const base = url.replace(/\/+$/, "");
  return {
    url: base,
    async get(path, etag = null) {
      const outcome = await client.request({
        url: `${base}${path}`,
        method: "GET",
        headers: { accept: "application/json", ...(etag === null ? {} : { "if-none-match": etag }) },
        answerBytesMax,
        totalMs: 30_000,
        scope: "registry upstream",
      });
      if (outcome.kind !== "answered") return { kind: "away", why: `${outcome.kind}: ${outcome.reason}` };
      if (outcome.truncated) return { kind: "away", why: "the answer is too large" };
      if (outcome.status >= 500 || outcome.status === 429) return { kind: "away", why: `status ${outcome.status}` };
      return {
        kind: "answered",
        status: outcome.status,
        etag: single(outcome.headers["etag"]),
        location: single(outcome.headers["location"]),
        date: moment(single(outcome.headers["date"])),
        body: outcome.body,
      };
    },
  };
}

function single(header: string | readonly string[] | undefined): string | null {
  return typeof header === "string" ? header : null;
}

function moment(text: string | null): Date | null {
  const date = new Date(text ?? "");
  return Number.isNaN(date.getTime()) ? null : date;
}
