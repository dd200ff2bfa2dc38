// Endpoints: addresses of a workspace that get its events by type. The events are a closed table: what happened, the operation
// whose read the body repeats, and what a filter can ask about it.
import { type Static, Type } from "typebox";
import { limits } from "../limits.ts";
import { entity, nullable, Timestamp, Uuid, uuidPattern, webhookUrl, wordOf } from "../wire-values.ts";

export type WebhookFilterName = "tag" | "model" | "deployment";

interface WebhookEvent {
  readonly type: string;
  // The ids of the operations that return what the body is about.
  readonly reads: readonly string[];
  readonly filters: readonly WebhookFilterName[];
}

const jobEvent = <const Type extends string>(type: Type) =>
  ({ type, reads: ["getJob"], filters: ["tag", "deployment"] }) as const;
const taskEvent = <const Type extends string>(type: Type) =>
  ({ type, reads: ["getRelightTask", "getSkinEnhancerTask", "getPrompt"], filters: ["tag", "model"] }) as const;
const versionEvent = <const Type extends string>(type: Type) =>
  ({ type, reads: ["getNodeVersion"], filters: [] }) as const;

export const webhookEvents = [
  jobEvent("job.queued"),
  jobEvent("job.running"),
  jobEvent("job.succeeded"),
  jobEvent("job.failed"),
  jobEvent("job.canceling"),
  jobEvent("job.canceled"),
  jobEvent("job.expired"),
  { type: "model_request.completed", reads: ["getModelRequestStatus"], filters: ["tag", "model"] },
  taskEvent("partner_task.running"),
  taskEvent("partner_task.completed"),
  taskEvent("partner_task.failed"),
  { type: "budget.threshold", reads: ["getBudget"], filters: [] },
  { type: "spending.odd", reads: ["getAlertSettings"], filters: [] },
  { type: "deployment.scale", reads: ["getDeployment"], filters: ["deployment"] },
  versionEvent("node_version.published"),
  versionEvent("node_version.flagged"),
  versionEvent("node_version.banned"),
] as const satisfies readonly WebhookEvent[];

export type WebhookEventType = (typeof webhookEvents)[number]["type"];
export const webhookEventTypes = webhookEvents.map(({ type }) => type);

// The types about which a filter of that name can ask.
export function webhookTypesWith(name: WebhookFilterName): readonly WebhookEventType[] {
  return webhookEvents.flatMap(({ type, filters }) => (filters.some((each) => each === name) ? [type] : []));
}

export const WebhookEventType = wordOf(webhookEventTypes, {
  title: "WebhookEventType",
  description: "What happened. job.queued: a job waits again, for another attempt.",
});

export const WebhookEndpointFilter = entity(
  "WebhookEndpointFilter",
  "Sends only events that match all members. Each member must apply to every type of the endpoint.",
  {
    tag: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 300,
        pattern: "=",
        description: "A tag as key=value: of the job, the model request or the partner task.",
      }),
    ),
    model: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: "^[!-~]+$",
        description:
          "A model (provider/name) or all of a provider; for partner tasks, partner/operation or all of a partner.",
      }),
    ),
    deployment: Type.Optional(
      Type.String({ pattern: uuidPattern, description: "The id of a deployment: its jobs and its scaling signal." }),
    ),
  },
  { additionalProperties: false },
);
export type WebhookEndpointFilter = Static<typeof WebhookEndpointFilter>;

const written = {
  url: webhookUrl("An https URL of a public host, on port 443. Each address once per workspace."),
  types: Type.Array(WebhookEventType, { minItems: 1, uniqueItems: true, description: "What is sent there." }),
  filter: Type.Optional(WebhookEndpointFilter),
  description: Type.Optional(Type.String({ maxLength: 200, description: "For people." })),
};

export const NewWebhookEndpoint = entity("NewWebhookEndpoint", "An endpoint to add.", written, {
  additionalProperties: false,
});
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>;

export const UpdateWebhookEndpoint = entity(
  "UpdateWebhookEndpoint",
  "What to change. Absent members stay; an empty filter sends all events of the types.",
  {
    url: Type.Optional(written.url),
    types: Type.Optional(written.types),
    filter: written.filter,
    description: written.description,
  },
  { additionalProperties: false },
);
export type UpdateWebhookEndpoint = Static<typeof UpdateWebhookEndpoint>;

export const webhookEndpointStatuses = ["active", "failing", "disabled", "paused"] as const;

const endpoint = {
  id: Uuid,
  url: Type.String({ format: "uri", description: "Where events go." }),
  description: Type.String(),
  types: Type.Array(WebhookEventType, { description: "What is sent there." }),
  filter: WebhookEndpointFilter,
  status: wordOf(webhookEndpointStatuses, {
    description:
      "active: events are sent. failing: its receiver failed five times in a row and is tried once a minute. disabled: its receiver took nothing for five days, so sending has stopped. paused: a person paused it. While disabled or paused, events become dead deliveries that can be redelivered.",
  }),
  status_detail: nullable(Type.String(), "Why it is not active, and what to do; null if it is active."),
  last_delivery: nullable(
    Type.Object({
      id: Uuid,
      type: Type.String({ description: "What happened." }),
      status: wordOf(["pending", "delivered", "dead", "gone"], { description: "How it went." }),
      created_at: Timestamp,
    }),
    "The newest delivery to it.",
  ),
  created_at: Timestamp,
  paused_at: nullable(Timestamp, "When a person paused it."),
};

export const WebhookEndpoint = entity("WebhookEndpoint", "An address that gets events by type.", endpoint);
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

export const CreatedWebhookEndpoint = entity("CreatedWebhookEndpoint", "The new endpoint and its secret.", {
  ...endpoint,
  secret: Type.String({ pattern: "^whsec_", description: "Signs deliveries to it. Only shown here. Store it." }),
});
export type CreatedWebhookEndpoint = Static<typeof CreatedWebhookEndpoint>;

export const WebhookEndpointList = entity("WebhookEndpointList", "The endpoints of a workspace, oldest first.", {
  data: Type.Array(WebhookEndpoint, { maxItems: limits.webhookEndpointsMax }),
});
export type WebhookEndpointList = Static<typeof WebhookEndpointList>;

const version = {
  id: Uuid,
  node_id: Type.String({ description: "The node." }),
  version: Type.String({ description: "Its number." }),
  status: Type.String({ description: "As in a read: NodeVersionStatusActive, …Flagged or …Banned." }),
  status_reason: nullable(Type.String(), "Why it was flagged or banned."),
  findings: Type.Array(
    Type.Object({ code: Type.String({ description: "The rule." }) }, { additionalProperties: true }),
    {
      description: "What the checks found, as in a read. At most 100.",
    },
  ),
  at: Timestamp,
};

export const NodeVersionNotification = entity(
  "NodeVersionNotification",
  "What an endpoint gets about a version of a node that a publisher of its workspace owns.",
  {
    ...version,
    sequence: Type.Integer({ minimum: 1, description: "Rises with every decision about this version." }),
    type: Type.String({ pattern: "^node_version[.]", description: "What happened." }),
  },
);
