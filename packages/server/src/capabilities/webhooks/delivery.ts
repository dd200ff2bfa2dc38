// A delivery as the log shows it, and as a claim holds it.
import type { Id, WorkspaceId } from "../../foundation/ids.ts";

export type DeliveryId = Id<"webhook-delivery">;
export type EndpointId = Id<"webhook-endpoint">;

// The state of the schedule. Whether it is being sent right now is known to the queue.
export type ScheduleStatus = "pending" | "delivered" | "dead" | "gone";
export type DeliveryStatus = ScheduleStatus | "sending";

export const deliveryStatuses: readonly DeliveryStatus[] = ["pending", "sending", "delivered", "dead", "gone"];

export interface Delivery {
  readonly id: DeliveryId;
  readonly subjectId: string;
  readonly sequence: number;
  readonly type: string;
  readonly url: string;
  // Null if the address was given with the subject.
  readonly endpointId: EndpointId | null;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly lastDurationMs: number | null;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
}

export interface DeliveryAttempt {
  readonly number: number;
  readonly isManual: boolean;
  readonly at: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
}

// One workspace's deliveries to one receiver (scheme, host and port). Fairness is between lanes: a receiver that hangs
// holds up no other, and a shared host that refuses one workspace still serves the others.
export interface Lane {
  readonly workspaceId: WorkspaceId;
  readonly receiver: string;
}

export interface ClaimedDelivery extends Lane {
  readonly id: DeliveryId;
  readonly claimId: string;
  readonly subjectId: string;
  readonly type: string;
  readonly url: string;
  readonly endpointId: EndpointId | null;
  readonly body: Buffer;
  readonly state: ScheduleStatus;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  // How many attempts of the schedule are done.
  readonly step: number;
  readonly isManual: boolean;
  readonly queuedAt: Date;
}

export function receiverOf(url: string): string {
  return new URL(url).origin;
}

export interface FailingReceiver {
  readonly receiver: string;
  readonly failures: number;
  readonly failingSince: Date;
  readonly restingUntil: Date | null;
  readonly disabledAt: Date | null;
}
