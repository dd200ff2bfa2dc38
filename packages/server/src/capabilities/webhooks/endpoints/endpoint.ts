// An endpoint: an address of a workspace that gets its events by type. Whether its receiver fails is not its own state: it is
// that of the receiver, which all deliveries to the same scheme, host and port share.
import { type WebhookEventType, type WebhookFilterName, webhookEvents } from "@atelier/contract";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { Tags } from "../../../foundation/json/labels.ts";
import type { DeliveryId, EndpointId, ScheduleStatus } from "../delivery.ts";

// Each null: does not matter.
export interface EndpointFilter {
  // A map of one pair.
  readonly tag: Tags | null;
  // A model, or a provider; a partner's operation, or a partner.
  readonly model: string | null;
  readonly deployment: string | null;
}

export interface EndpointRule {
  readonly url: string;
  readonly description: string;
  readonly types: readonly WebhookEventType[];
  readonly filter: EndpointFilter;
}

export interface EndpointState {
  readonly createdAt: Date;
  readonly pausedAt: Date | null;
  // Of its receiver.
  readonly restingUntil: Date | null;
  readonly disabledAt: Date | null;
  readonly lastDelivery: {
    readonly id: DeliveryId;
    readonly type: string;
    readonly status: ScheduleStatus;
    readonly createdAt: Date;
  } | null;
}

export interface Endpoint extends EndpointRule, EndpointState {
  readonly id: EndpointId;
  readonly workspaceId: WorkspaceId;
  readonly receiver: string;
}

export type EndpointStatus = "active" | "failing" | "disabled" | "paused";

export function statusOf({ pausedAt, disabledAt, restingUntil }: EndpointState): EndpointStatus {
  if (pausedAt !== null) return "paused";
  if (disabledAt !== null) return "disabled";
  return restingUntil !== null ? "failing" : "active";
}

const details: Readonly<Record<EndpointStatus, (endpoint: Endpoint) => string | null>> = {
  active: () => null,
  failing: ({ receiver }) =>
    `${receiver} failed at least five times in a row. It is tried once a minute until it answers; other deliveries wait.`,
  disabled: ({ receiver }) =>
    `${receiver} took nothing for five days, so sending has stopped. Mend the receiver, resume the endpoint, then redeliver what you need.`,
  paused: () => "A person paused it. Resume it, then redeliver what you need.",
};

export function statusDetailOf(endpoint: Endpoint): string | null {
  return details[statusOf(endpoint)](endpoint);
}

// The types that a filter cannot ask about, with the member that asks: an endpoint with one of them would never get it.
export function unfilteredTypes(
  types: readonly WebhookEventType[],
  filter: EndpointFilter,
): readonly { readonly type: WebhookEventType; readonly member: WebhookFilterName }[] {
  const asked = (["tag", "model", "deployment"] as const).filter((member) => filter[member] !== null);
  return webhookEvents
    .filter(({ type }) => types.includes(type))
    .flatMap(({ type, filters }) =>
      asked.filter((member) => !filters.some((each) => each === member)).map((member) => ({ type, member })),
    );
}

export const pausedText = "The endpoint is paused. Resume it, then redeliver.";
export const deletedText = "The endpoint was deleted.";
