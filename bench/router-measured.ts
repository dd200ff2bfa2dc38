// What we measure of the model router and of the other gateways.
import type { PostJob } from "./post-generator.ts";
import type { Started } from "./processes.ts";

export interface Target {
  readonly name: string;
  readonly server: Started;
  readonly isOurs: boolean;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: PostJob["key"];
}

// One turn of one target.
export interface Turn {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly gatewayMicroseconds: number;
  readonly postgresMicroseconds: number;
}

export interface Measured {
  readonly alone: Map<string, Turn[]>;
  readonly crowd: Map<string, Turn[]>;
  readonly ledgerPerSecond: number[];
  readonly fdatasyncMs: number[];
}
