// `atelier limits`: the limits and quotas of one workspace.
import type { CommandResult } from "@atelier/server/commands";
import { wrongCall } from "../read-call.ts";
import { type Asked, asOperator, readAnswer } from "../server/over-http.ts";
import { sizeText } from "../terminal/progress-line.ts";

interface Limit {
  readonly name: string;
  readonly kind: string;
  readonly value: number;
  readonly default: number;
  readonly overridden: boolean;
  readonly description: string;
}

export const limitsCommand = asOperator((asked) => {
  const { verb } = asked.call;
  if (verb === "set") return set(asked);
  return verb === "reset" ? reset(asked) : list(asked);
});

function pathOf({ call }: Asked): string {
  const [workspace = "", name] = call.words.map(encodeURIComponent);
  return `/admin/workspaces/${workspace}/limits${name === undefined ? "" : `/${name}`}`;
}

async function list(asked: Asked): Promise<CommandResult> {
  const answer = await readAnswer<{ readonly data: readonly Limit[] }>(asked.atelier.request(pathOf(asked)));
  const data = asked.call.has("changed") ? answer.data.filter(({ overridden }) => overridden) : answer.data;
  const rows = data.map((limit) => [
    ...[limit.name, show(limit, limit.value), limit.overridden ? show(limit, limit.default) : "", limit.description],
  ]);
  const empty = "This workspace has the default limits.";
  return { data, text: { columns: ["name", "value", "instead of", "what it limits"], rows, empty } };
}

async function set(asked: Asked): Promise<CommandResult> {
  const value = readAmount(asked.call.words[2] ?? "");
  if (value === null)
    throw wrongCall("limits", [`The value is a whole number, or a size such as 500GB, not "${asked.call.words[2]}".`]);
  const reason = asked.call.text("reason");
  const json = { value, ...(reason === undefined ? {} : { reason }) };
  return present(await readAnswer<Limit>(asked.atelier.request(pathOf(asked), { method: "PUT", json })));
}

async function reset(asked: Asked): Promise<CommandResult> {
  return present(await readAnswer<Limit>(asked.atelier.request(pathOf(asked), { method: "DELETE" })));
}

function present(limit: Limit): CommandResult {
  const beside = limit.overridden ? ` instead of ${show(limit, limit.default)}` : ", the default";
  return { data: limit, text: `${limit.name} is ${show(limit, limit.value)}${beside}.` };
}

const show = ({ name }: Limit, value: number): string => (name.includes("bytes") ? sizeText(value) : String(value));

// 500, 500GB, 1.5TB, 100GiB.
export function readAmount(text: string): number | null {
  const [, digits, prefix, binary] = /^(\d+(?:\.\d+)?)\s*(?:([kKMGT])(i?)B)?$/.exec(text) ?? [];
  if (digits === undefined) return null;
  const power = prefix === undefined ? 0 : "kMGT".indexOf(prefix === "K" ? "k" : prefix) + 1;
  const amount = Number(digits) * (binary === "i" ? 1024 : 1000) ** power;
  return Number.isSafeInteger(amount) ? amount : null;
}
