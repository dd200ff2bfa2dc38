// An event as the provider sent it, and what became of it.
import type { ProviderName } from "./plan.ts";

export interface EventName {
  readonly provider: ProviderName;
  readonly eventId: string;
}

export interface StoredEvent extends EventName {
  readonly type: string;
  readonly madeAt: Date;
  readonly receivedAt: Date;
  readonly state: "stored" | "applied" | "ignored";
  readonly note: string | null;
  readonly attempts: number;
}

export interface EventPosition {
  readonly at: Date;
  readonly eventId: string;
}
