// `atelier webhooks endpoints`: addresses that get the workspace's events by type.
import type { NewWebhookEndpoint, WebhookEndpoint } from "@atelier/sdk";
import { WebhookEndpoints } from "@atelier/sdk/webhooks";
import type { CommandResult } from "@atelier/server/commands";
import { given } from "../given.ts";
import { nearWord } from "../near-word.ts";
import { wrongCall } from "../read-call.ts";
import type { Asked } from "../server/over-http.ts";
import { confirm } from "../terminal/confirm.ts";

const actions: Readonly<Record<string, (asked: Asked, word: string) => Promise<CommandResult>>> = {
  add,
  rm: remove,
  test: sendTest,
  rotate,
  pause,
  resume,
};

export function endpoints(asked: Asked): Promise<CommandResult> {
  const [action = "ls", word] = asked.call.words;
  if (action === "ls") return list(asked);
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
  const known = ["ls", ...Object.keys(actions)];
  if (run === undefined)
    throw wrongCall("webhooks", [
      `There is no endpoints ${action}${nearWord(action, known)} There are: ${known.join(", ")}.`,
    ]);
  if (word === undefined) throw wrongCall("webhooks", [`Missing: <${action === "add" ? "url" : "id"}>.`]);
  return run(asked, word);
}

const statusWords: Readonly<Record<WebhookEndpoint["status"], string>> = {
  active: "active",
  failing: "failing, tried once a minute",
  disabled: "disabled: its receiver failed for five days",
  paused: "paused",
};

async function list({ atelier }: Asked): Promise<CommandResult> {
  const data = await new WebhookEndpoints(atelier).list();
  const rows = data.map((endpoint) => [
    endpoint.id,
    endpoint.url,
    endpoint.types.join(" "),
    Object.entries(endpoint.filter)
      .map(([name, value]) => `${name} ${value}`)
      .join(", ") || null,
    statusWords[endpoint.status],
    endpoint.last_delivery?.status ?? null,
    endpoint.description || null,
  ]);
  const empty =
    "No endpoints. Add one: atelier webhooks endpoints add https://hooks.example.com/atelier --type job.succeeded";
  const columns = ["id", "url", "types", "only", "state", "last delivery", "description"];
  return { data, text: { columns, rows, empty } };
}

// Only the secret goes to standard output, so that SECRET=$(…) works.
async function add({ call, atelier, input }: Asked, url: string): Promise<CommandResult> {
  const types = call.texts("type").flatMap((each) => each.split(",").map((type) => type.trim()));
  if (types.length === 0)
    throw wrongCall("webhooks", ["Say what is sent there: --type job.succeeded --type job.failed"]);
  const filter = given({ tag: call.text("tag"), model: call.text("model"), deployment: call.text("deployment") });
  const data = await new WebhookEndpoints(atelier).create({
    url,
    // The server names the ones that exist if one is none.
    types: types as NewWebhookEndpoint["types"],
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    ...given({ description: call.text("description") }),
  });
  if (!input.json) input.say(`Endpoint ${data.id}. Its secret, shown only once; the receiver verifies with it.`);
  return { data, text: data.secret };
}

async function remove({ call, atelier, input }: Asked, id: string): Promise<CommandResult> {
  await confirm(`Delete the endpoint ${id}? What waits for it is not sent.`, call, input);
  await new WebhookEndpoints(atelier).delete(id);
  return { data: { id }, text: `The endpoint ${id} is deleted.` };
}

async function sendTest({ atelier }: Asked, id: string): Promise<CommandResult> {
  const data = await new WebhookEndpoints(atelier).test(id);
  return { data, text: `Sent a test event. See the result: atelier webhooks log ${data.id}` };
}

async function rotate({ call, atelier, input }: Asked, id: string): Promise<CommandResult> {
  await confirm("Create a new secret for this endpoint? The old one keeps signing too for a day.", call, input);
  const data = await new WebhookEndpoints(atelier).rotateSecret(id);
  if (!input.json) input.say("Shown only once. The receiver verifies deliveries with it.");
  return { data, text: data.secret };
}

async function pause({ atelier }: Asked, id: string): Promise<CommandResult> {
  const data = await new WebhookEndpoints(atelier).pause(id);
  return { data, text: `Paused. Nothing is sent to ${data.url} until: atelier webhooks endpoints resume ${id}` };
}

async function resume({ atelier }: Asked, id: string): Promise<CommandResult> {
  const data = await new WebhookEndpoints(atelier).resume(id);
  return { data, text: `Events go to ${data.url} again. What was missed: atelier webhooks log --status dead` };
}
