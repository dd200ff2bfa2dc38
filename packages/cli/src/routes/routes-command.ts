// `atelier routes`: names that stand for several models.
import type { ModelRoute, PutRoute } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { readJsonFile } from "../jobs/read-graph.ts";
import { type Asked, overHttp } from "../server/over-http.ts";
import { confirm } from "../terminal/confirm.ts";

export const routesCommand = overHttp({ ls: list, show, put, rm: remove });

async function list({ atelier }: Asked): Promise<CommandResult> {
  const data = await atelier.routes.list();
  const rows = data.map((route) => [route.id, route.scope, route.rule, modelsOf(route), new Date(route.updated_at)]);
  const empty = "No routes. Write one: atelier routes put pictures route.json";
  return { data, text: { columns: ["id", "of", "rule", "models", "changed"], rows, empty } };
}

async function show({ call, atelier }: Asked): Promise<CommandResult> {
  const data = await atelier.routes.get(call.words[0] ?? "");
  return { data, text: JSON.stringify(data, null, 2) };
}

async function put({ call, atelier }: Asked): Promise<CommandResult> {
  const [name = "", file = ""] = call.words;
  // The server says what is wrong with it, and where.
  const data = await atelier.routes.put(name, readJsonFile(file) as PutRoute);
  return { data, text: `${data.id} calls ${modelsOf(data)} (version ${data.version}).` };
}

async function remove({ call, atelier, input }: Asked): Promise<CommandResult> {
  const [name = ""] = call.words;
  await confirm(`Remove the route ${name}?`, call, input);
  await atelier.routes.delete(name);
  return { data: { name, removed: true }, text: "The route is gone. Calls in flight finish." };
}

const modelsOf = ({ targets }: ModelRoute) => targets.map(({ model }) => model).join(", ");
