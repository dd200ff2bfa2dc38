// `atelier service-accounts`: programs with a name, a role and keys of their own.
import type { CreatedAccountKey, RemovedServiceAccount, ServiceAccount, ServiceAccountList } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { wrongCall } from "../read-call.ts";
import { ClientProblem } from "../server/client-problem.ts";
import { type Asked, overHttp, readAnswer } from "../server/over-http.ts";
import { confirm } from "../terminal/confirm.ts";
import { requireRole } from "./own-workspace.ts";

export const serviceAccountsCommand = overHttp({ ls: list, create, key: makeKey, remove });

const path = "/account/service-accounts";
const dayMs = 86_400_000;

const read = ({ atelier }: Asked) => readAnswer<ServiceAccountList>(atelier.request(path));

async function list(asked: Asked): Promise<CommandResult> {
  const { data } = await read(asked);
  const rows = data.map(({ id, name, role, created_at }) => [name, role, created_at, id]);
  const empty = "No service accounts. Make one: atelier service-accounts create nightly-renders";
  return { data, text: { columns: ["name", "role", "created", "id"], rows, empty } };
}

async function create({ call, atelier }: Asked): Promise<CommandResult> {
  const json = { name: call.words[0] ?? "", role: requireRole("service-accounts", call.text("role") ?? "member") };
  const data = await readAnswer<ServiceAccount>(atelier.request(path, { method: "POST", json }));
  return { data, text: `${data.name} (${data.role})\natelier service-accounts key ${data.id} <name of the key>` };
}

// Prints the key alone, for a variable.
async function makeKey(asked: Asked): Promise<CommandResult> {
  const [id = "", name = ""] = asked.call.words;
  const account = (await read(asked)).data.find((each) => each.id === id);
  if (account === undefined) throw new ClientProblem("not_there", "not_found", `There is no service account ${id}.`);
  const json = { name, role: account.role, service_account_id: id, expires_at: endOf(asked) };
  const data = await readAnswer<CreatedAccountKey>(asked.atelier.request("/account/keys", { method: "POST", json }));
  return { data, text: data.secret };
}

function endOf({ call }: Asked): string | null {
  const days = call.text("expires-days");
  if (days === undefined) return null;
  if (!/^[1-9]\d{0,3}$/.test(days))
    throw wrongCall("service-accounts", [`--expires-days is a number of days, not "${days}".`]);
  return new Date(Date.now() + Number(days) * dayMs).toISOString();
}

async function remove({ call, atelier, input }: Asked): Promise<CommandResult> {
  const [id = ""] = call.words;
  await confirm(`Remove the service account ${id}, and revoke all its keys?`, call, input);
  const request = atelier.request(`${path}/${encodeURIComponent(id)}`, { method: "DELETE" });
  const data = await readAnswer<RemovedServiceAccount>(request);
  return { data, text: `Removed. Keys revoked: ${data.revoked_keys.length}.` };
}
