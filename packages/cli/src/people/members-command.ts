// `atelier members`: who is in the workspace.
import type { AccountMember, AccountMemberList, AddedMember, RemovedMember, SignInLink } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { wrongCall } from "../read-call.ts";
import { type Asked, overHttp, readAnswer } from "../server/over-http.ts";
import { confirm } from "../terminal/confirm.ts";
import { pathOfWorkspace, requireRole } from "./own-workspace.ts";

export const membersCommand = overHttp({ ls: list, add, role: changeRole, link: makeLink, remove });

const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
const pathOf = (asked: Asked, rest = "") => pathOfWorkspace(asked, `members${rest}`);
const onePath = (asked: Asked, rest = "") => pathOf(asked, `/${encodeURIComponent(asked.call.words[0] ?? "")}${rest}`);

async function list(asked: Asked): Promise<CommandResult> {
  const { data } = await readAnswer<AccountMemberList>(asked.atelier.request(await pathOf(asked)));
  const rows = data.map(({ id, name, email, role, has_signed_in }) => [
    ...[name, role, email ?? null, has_signed_in === false ? "invited" : "yes", id],
  ]);
  return { data, text: { columns: ["name", "role", "email", "signed in", "id"], rows } };
}

async function add(asked: Asked): Promise<CommandResult> {
  const { call, atelier } = asked;
  const [who = ""] = call.words;
  const [role, email] = [requireRole("members", call.text("role") ?? "member"), call.text("email")];
  const json = isId(who)
    ? { person_id: who.toLowerCase(), role }
    : { name: who, role, ...(email === undefined ? {} : { email }), ...hoursOf(asked) };
  const data = await readAnswer<AddedMember>(atelier.request(await pathOf(asked), { method: "POST", json }));
  const link = data.sign_in;
  const said = `${data.name} is in the workspace as ${data.role} (${data.id}).`;
  return { data, text: link === undefined ? said : `${said}\n${linkText(link)}` };
}

async function changeRole(asked: Asked): Promise<CommandResult> {
  const json = { role: requireRole("members", asked.call.words[1] ?? "") };
  const data = await readAnswer<AccountMember>(asked.atelier.request(await onePath(asked), { method: "PATCH", json }));
  return { data, text: `${data.name} now has the role ${data.role}.` };
}

async function makeLink(asked: Asked): Promise<CommandResult> {
  const path = await onePath(asked, "/sign-in-link");
  const data = await readAnswer<SignInLink>(asked.atelier.request(path, { method: "POST", json: hoursOf(asked) }));
  return { data, text: linkText(data) };
}

async function remove(asked: Asked): Promise<CommandResult> {
  const { call, atelier, input } = asked;
  const keeps = call.has("keep-keys");
  await confirm(
    `Remove ${call.words[0]} from the workspace${keeps ? "" : ", and revoke the keys they made"}?`,
    call,
    input,
  );
  const path = `${await onePath(asked)}${keeps ? "?keep_keys=true" : ""}`;
  const data = await readAnswer<RemovedMember>(atelier.request(path, { method: "DELETE" }));
  return { data, text: `Removed. Keys revoked: ${data.revoked_keys.length}.` };
}

function hoursOf({ call }: Asked): { link_hours?: number } {
  const text = call.text("link-hours");
  if (text === undefined) return {};
  if (!/^[1-9]\d{0,2}$/.test(text)) throw wrongCall("members", [`--link-hours is 1 to 168, not "${text}".`]);
  return { link_hours: Number(text) };
}

const linkText = ({ url, expires_at }: SignInLink) => `Sign-in link, works once until ${expires_at}:\n${url}`;
