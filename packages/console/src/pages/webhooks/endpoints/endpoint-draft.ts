// An endpoint as a person types it: what is missing or cannot match, and the body that is sent.
import type { NewWebhookEndpoint, WebhookEndpoint, WebhookEventType } from "@atelier/sdk";
import { endpoints } from "#strings/webhooks/endpoints";

const words = endpoints.form;

export interface EndpointDraft {
  readonly url: string;
  readonly description: string;
  readonly types: readonly WebhookEventType[];
  readonly tag: string;
  readonly model: string;
  readonly deployment: string;
}

export type Group = keyof typeof endpoints.groups;
type FilterName = "tag" | "model" | "deployment";

// In the order in which the form shows them.
export const eventTypes = Object.keys(endpoints.types) as WebhookEventType[];
export const groupOf = (type: WebhookEventType) => type.slice(0, type.indexOf(".")) as Group;

const filters: Readonly<Record<Group, readonly FilterName[]>> = {
  job: ["tag", "deployment"],
  model_request: ["tag", "model"],
  partner_task: ["tag", "model"],
  budget: [],
  spending: [],
  deployment: ["deployment"],
  node_version: [],
};

export function draftOf(endpoint: WebhookEndpoint | null): EndpointDraft {
  return {
    url: endpoint?.url ?? "",
    description: endpoint?.description ?? "",
    types: endpoint?.types ?? ["job.succeeded", "job.failed"],
    tag: endpoint?.filter.tag ?? "",
    model: endpoint?.filter.model ?? "",
    deployment: endpoint?.filter.deployment ?? "",
  };
}

// The server decides what may be called; this only says what is missing.
export function wrongIn(draft: EndpointDraft): Readonly<Record<"url" | "types" | FilterName, string | null>> {
  const notFor = (name: FilterName) => {
    if (draft[name].trim() === "") return null;
    const groups = [...new Set(draft.types.map(groupOf))].filter((group) => !filters[group].includes(name));
    return groups.length === 0 ? null : words.notFor(groups.map((group) => endpoints.groups[group]).join(", "));
  };
  return {
    url: draft.url.trim() === "" ? words.urlMissing : null,
    types: draft.types.length === 0 ? words.eventsMissing : null,
    tag: draft.tag.trim() !== "" && !/^[^=]+=/.test(draft.tag.trim()) ? words.tagWrong : notFor("tag"),
    model: notFor("model"),
    deployment: notFor("deployment"),
  };
}

export function bodyOf({ url, description, types, ...filter }: EndpointDraft): NewWebhookEndpoint {
  const given = Object.entries(filter).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, text.trim()]]));
  return { url: url.trim(), description: description.trim(), types: [...types], filter: Object.fromEntries(given) };
}
