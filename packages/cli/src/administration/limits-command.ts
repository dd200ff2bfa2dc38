// `atelier limits`: the limits and quotas of one workspace, and the calls that a key or a model may take.
import type { CommandResult } from "@atelier/server/commands";
import { given } from "../given.ts";
import { wrongCall } from "../read-call.ts";
import { type Asked, overHttp, readAnswer } from "../server/over-http.ts";
import { sizeText } from "../terminal/progress-line.ts";

interface Limit {
  readonly name: string;
  readonly kind: string;
  readonly value: number;
  readonly default: number;
  readonly overridden: boolean;
  readonly description: string;
}

// Limits of a key are the owner's, the others the operator's.
export const limitsCommand = overHttp({ key: ofKey }, { ls: list, set, reset, model: ofModel, models: listModels });

interface CallLimits {
  readonly calls_per_minute: number | null;
  readonly concurrency: number | null;
  readonly in_flight?: number;
}

async function ofKey({ call, atelier }: Asked): Promise<CommandResult> {
  const path = `/account/keys/${encodeURIComponent(call.words[0] ?? "")}/limits`;
  const now = await readAnswer<CallLimits>(atelier.request(path));
  const wanted = readCallLimits(call, now);
  const data =
    wanted === null ? now : await readAnswer<CallLimits>(atelier.request(path, { method: "PUT", json: wanted }));
  return { data, text: `The key may make ${words(data)}.` };
}

async function ofModel({ call, atelier }: Asked): Promise<CommandResult> {
  const model = call.words[0] ?? "";
  if (!/^[^/]+\/[^/]+$/.test(model)) throw wrongCall("limits", [`A model is provider/name, not "${model}".`]);
  const { data: all } = await readAnswer<{ readonly data: readonly (CallLimits & { readonly model: string })[] }>(
    atelier.request("/admin/model-limits"),
  );
  const now = all.find((each) => each.model === model) ?? { calls_per_minute: null, concurrency: null };
  const wanted = readCallLimits(call, now);
  const path = `/admin/model-limits/${model.split("/").map(encodeURIComponent).join("/")}`;
  const data =
    wanted === null ? now : await readAnswer<CallLimits>(atelier.request(path, { method: "PUT", json: wanted }));
  return { data, text: `${model} takes ${words(data)}, over all workspaces.` };
}

async function listModels({ atelier }: Asked): Promise<CommandResult> {
  const { data } = await readAnswer<{ readonly data: readonly (CallLimits & { readonly model: string })[] }>(
    atelier.request("/admin/model-limits"),
  );
  const rows = data.map((each) => [each.model, most(each.calls_per_minute), most(each.concurrency)]);
  const empty = "No model has a limit. Set one: atelier limits model sandbox/image-1 --per-minute 60";
  return { data, text: { columns: ["model", "calls a minute", "at once"], rows, empty } };
}

const most = (count: number | null) => (count === null ? "any" : String(count));

// Null if none is asked for.
function readCallLimits(call: Asked["call"], now: CallLimits): CallLimits | null {
  const [perMinute, atOnce] = [readCount(call, "per-minute"), readCount(call, "at-once")];
  if (perMinute === undefined && atOnce === undefined) return null;
  return {
    calls_per_minute: perMinute === undefined ? now.calls_per_minute : perMinute,
    concurrency: atOnce === undefined ? now.concurrency : atOnce,
  };
}

function readCount(call: Asked["call"], option: "per-minute" | "at-once"): number | null | undefined {
  const given = call.text(option);
  if (given === undefined) return undefined;
  if (given === "none") return null;
  if (/^[1-9]\d{0,6}$/.test(given)) return Number(given);
  throw wrongCall("limits", [`--${option} is a whole number from 1, or none; not "${given}".`]);
}

function words({ calls_per_minute, concurrency, in_flight }: CallLimits): string {
  const rate = calls_per_minute === null ? "any number of calls a minute" : `${calls_per_minute} calls a minute`;
  const open = concurrency !== null && in_flight !== undefined ? ` (${in_flight} now)` : "";
  return `${rate} and ${concurrency === null ? "any number" : concurrency} at once${open}`;
}

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
  const json = { value, ...given({ reason: asked.call.text("reason") }) };
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
