// Where a request's time went: in the queue, here, and at the provider.
import type { AccountRequest } from "@atelier/sdk";
import { requests } from "#strings/requests";

const words = requests.time;

export interface Part {
  readonly name: string;
  readonly ms: number;
  readonly colour: string;
}

export type TimedRequest = Pick<AccountRequest, "queued" | "total_ms" | "provider_ms" | "attempts">;

export function partsOf(request: TimedRequest): readonly Part[] {
  const { queued, total_ms } = request;
  const waited = queued?.started_at ? Math.max(0, Date.parse(queued.started_at) - Date.parse(queued.created_at)) : 0;
  const atProvider = msAtProvider(request);
  const here = Math.max(0, (total_ms ?? 0) - (atProvider ?? 0));
  return [
    ...(queued ? [{ name: words.queue, ms: waited, colour: "series-2" }] : []),
    { name: words.server, ms: here, colour: "series-3" },
    ...(atProvider === null ? [] : [{ name: words.provider, ms: atProvider, colour: "series-1" }]),
  ];
}

// A provider that never answered has no time of its own, but the attempts to reach it do.
function msAtProvider({ provider_ms, attempts, total_ms }: TimedRequest): number | null {
  if (provider_ms !== null || attempts.length === 0) return provider_ms;
  const waited = attempts.reduce((sum, { ms }) => sum + ms, 0);
  return Math.min(waited, total_ms ?? waited);
}
