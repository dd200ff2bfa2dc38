// `atelier webhooks`: a local receiver for trying things out, the delivery log, redelivery, and the secret.
import type {
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookSecret,
  WebhookSecretList,
  WebhookTargets,
} from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { take } from "../files/take.ts";
import { type Asked, overHttp, readAnswer, walkPages } from "../server/over-http.ts";
import { confirm } from "../terminal/confirm.ts";
import { endpoints } from "./endpoints.ts";
import { listen } from "./webhook-receiver.ts";

export const webhooksCommand = overHttp({
  listen,
  allow,
  endpoints,
  log: (asked) => (asked.call.words[0] === undefined ? log(asked) : showDelivery(asked, asked.call.words[0])),
  redeliver,
  secret,
});

// Allows receivers on the server's own machine during development; without a target, lists them.
async function allow({ call, atelier }: Asked): Promise<CommandResult> {
  const path = "/account/webhooks/targets";
  const before: WebhookTargets = await readAnswer(atelier.request(path));
  const isRemoving = call.has("remove");
  if (call.words.length === 0 && !isRemoving) return targetsResult(before);
  const named = new Set(call.words.map((word) => word.toLowerCase()));
  const kept = before.opened.filter((target) => !named.has(target));
  const targets = isRemoving ? (named.size === 0 ? [] : kept) : [...kept, ...named];
  return targetsResult(await readAnswer(atelier.request(path, { method: "PUT", json: { targets } })));
}

function targetsResult(data: WebhookTargets): CommandResult {
  const rows = [
    ...data.configured.map((target) => [target, "ATELIER_WEBHOOK_TARGETS"]),
    ...data.opened.map((target) => [target, "atelier webhooks allow"]),
  ];
  const empty = data.may_open
    ? "No local receivers are allowed. Allow one: atelier webhooks allow 127.0.0.1:8765"
    : "Local receivers are for development only. On this server the operator allows private networks with ATELIER_EGRESS_ALLOW.";
  return { data, text: { columns: ["target", "opened by"], rows, empty } };
}

async function log({ call, atelier }: Asked): Promise<CommandResult> {
  const limit = call.whole("limit", 1, 10_000) ?? 20;
  const query = {
    limit: Math.min(100, limit),
    status: call.text("status"),
    subject_id: call.text("subject"),
    endpoint_id: call.text("endpoint"),
  };
  const data = await take(walkPages<WebhookDelivery>(atelier, "/account/webhooks/deliveries", query), limit);
  const rows = data.map((delivery) => [
    delivery.id,
    delivery.type,
    delivery.status,
    String(delivery.attempts),
    delivery.last_status === null ? (delivery.last_error ?? null) : String(delivery.last_status),
    delivery.url,
    new Date(delivery.created_at),
  ]);
  const empty = "No deliveries yet. Send some: atelier run <workflow.json> --webhook-url <url>";
  return { data, text: { columns: ["id", "type", "state", "tries", "answer", "url", "created"], rows, empty } };
}

async function showDelivery({ atelier }: Asked, id: string): Promise<CommandResult> {
  const path = `/account/webhooks/deliveries/${encodeURIComponent(id)}`;
  const data: WebhookDeliveryDetail = await readAnswer(atelier.request(path));
  const lines = [
    `delivery  ${data.id}`,
    `type      ${data.type}`,
    `url       ${data.url}`,
    `state     ${data.status}`,
    ...data.attempt_log.map(({ number, at, status, error, duration_ms: ms }) =>
      `try ${number}     ${at}   ${status ?? "no answer"}   ${ms} ms   ${error ?? ""}`.trimEnd(),
    ),
    "",
    data.body,
  ];
  return { data, text: lines.join("\n") };
}

async function redeliver({ call, atelier }: Asked): Promise<CommandResult> {
  const [id = ""] = call.words;
  const path = `/account/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`;
  const data: WebhookDelivery = await readAnswer(atelier.request(path, { method: "POST" }));
  return { data, text: `Queued for redelivery. See the result: atelier webhooks log ${data.id}` };
}

// Only the new secret goes to standard output, so that SECRET=$(atelier webhooks secret --rotate --yes) works.
async function secret({ call, atelier, input }: Asked): Promise<CommandResult> {
  const path = "/account/webhooks/secrets";
  if (!call.has("rotate")) {
    const { data }: WebhookSecretList = await readAnswer(atelier.request(path));
    const rows = data.map((each) => [
      each.id,
      each.signs_until === null ? "current" : "old",
      new Date(each.created_at),
      each.signs_until === null ? null : new Date(each.signs_until),
    ]);
    const empty = "There is no secret yet. Create one, shown only once: atelier webhooks secret --rotate";
    return { data, text: { columns: ["id", "state", "created", "signs until"], rows, empty } };
  }
  await confirm("Create a new webhook secret? The old one keeps signing too for a day.", call, input);
  const made: WebhookSecret = await readAnswer(atelier.request(path, { method: "POST", json: {} }));
  if (!input.json) input.say("Shown only once. Receivers verify deliveries with it; set it as ATELIER_WEBHOOK_SECRET.");
  return { data: made, text: made.secret };
}
