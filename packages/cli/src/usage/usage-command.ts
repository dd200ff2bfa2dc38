// `atelier usage`: what ran and what it cost. The sums are of the whole time, as the Usage page shows them.
import { AtelierError, type UsageSeries } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { replaceFile } from "../files/keep-file.ts";
import { wrongCall } from "../read-call.ts";
import { readTime } from "../read-time.ts";
import { type Asked, overHttp, readAnswer, walkPages } from "../server/over-http.ts";

export const usageCommand = overHttp((asked) => (asked.call.text("save") === undefined ? show(asked) : save(asked)));

type Sums = Pick<UsageSeries["total"], "calls" | "failures" | "replays" | "credits">;

const groupings: Readonly<Record<string, string>> = {
  model: "subject",
  key: "api_key_id",
  outcome: "outcome",
  family: "family",
  "end-user": "end_user",
};

async function show(asked: Asked): Promise<CommandResult> {
  const by = asked.call.text("by") ?? "model";
  const query = { ...spanOf(asked), ...groupingOf(by) };
  const data = await readAnswer<UsageSeries>(asked.atelier.request("/account/usage/series", { query }));
  const groups = by === "day" ? data.data.map(({ at, ...sums }) => ({ ...sums, key: at.slice(0, 10) })) : data.groups;
  const names = by === "key" ? await keyNames(asked) : null;
  const rows = groups.map(({ key, ...sums }) => rowOf(names?.get(key) ?? key.replace(/^model:/, ""), sums));
  const total = groups.length > 1 ? [rowOf("total", data.total)] : [];
  const empty = `Nothing ran from ${data.from.slice(0, 10)} to ${data.to.slice(0, 10)}. Look further back: --days 90`;
  const [what = by] = by.split(":");
  return {
    data,
    text: { columns: [what, "calls", "failed", "replays", "credits"], rows: [...rows, ...total], empty },
  };
}

// Ids stay where the key may not list keys.
async function keyNames({ atelier }: Asked): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  try {
    for await (const { id, name } of walkPages<{ id: string; name: string }>(atelier, "/account/keys", { limit: 100 }))
      names.set(id, name);
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
  }
  return names;
}

const rowOf = (name: string, { calls, failures, replays, credits }: Sums) => [
  name,
  String(calls),
  String(failures),
  String(replays),
  credits,
];

function groupingOf(by: string): Record<string, string> {
  if (by === "day") return { step: "day" };
  const [, key] = /^tag:(.+)$/.exec(by) ?? [];
  if (key !== undefined) return { by: "tag", tag_key: key };
  const wire = Object.hasOwn(groupings, by) ? groupings[by] : undefined;
  if (wire !== undefined) return { by: wire };
  throw wrongCall("usage", [`--by is ${Object.keys(groupings).join(", ")}, day or tag:<key>, not "${by}".`]);
}

function spanOf({ call }: Asked): { from: string; to?: string } {
  const [from, to] = [readTime(call, "usage", "from"), readTime(call, "usage", "to")];
  if (from !== undefined && call.text("days") !== undefined) throw wrongCall("usage", ["Give --from or --days."]);
  const end = to === undefined ? {} : { to };
  if (from !== undefined) return { from, ...end };
  const days = call.whole("days", 1, 366) ?? 30;
  const until = to === undefined ? Date.now() : Date.parse(to);
  return { from: new Date(until - days * 86_400_000).toISOString(), ...end };
}

async function save(asked: Asked): Promise<CommandResult> {
  const file = asked.call.text("save") ?? "";
  const query = { ...spanOf(asked), format: file.endsWith(".jsonl") ? "jsonl" : "csv" };
  const answer = await asked.atelier.request("/account/usage/export", { query });
  const saved = await replaceFile(file, answer.body);
  return { data: { file: saved }, text: saved };
}
