// `atelier retention`: how long the workspace keeps its files and its history.
import type { Retention, RetentionEstimate, SetRetention } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { wrongCall } from "../read-call.ts";
import { type Asked, overHttp, readAnswer } from "../server/over-http.ts";
import { confirm } from "../terminal/confirm.ts";
import { pathOfWorkspace } from "./own-workspace.ts";

export const retentionCommand = overHttp({ show, set });

const kinds = ["outputs", "uploads", "history"] as const;

async function show(asked: Asked): Promise<CommandResult> {
  return present(await readAnswer<Retention>(asked.atelier.request(await pathOfWorkspace(asked, "retention"))));
}

async function set(asked: Asked): Promise<CommandResult> {
  const { call, atelier, input } = asked;
  const given = kinds.map((kind) => readDays(asked, kind));
  if (given.every((days) => days === undefined))
    throw wrongCall("retention", ["Give --outputs, --uploads, --history or several."]);
  const path = await pathOfWorkspace(asked, "retention");
  const now = await readAnswer<Retention>(atelier.request(path));
  const [outputs = now.outputs_days, uploads = now.uploads_days, history = now.history_days] = given;
  const json: SetRetention = { outputs_days: outputs, uploads_days: uploads, history_days: history };
  const estimate = await readAnswer<RetentionEstimate>(atelier.request(`${path}/estimate`, { method: "POST", json }));
  const said = estimateText(estimate);
  if (call.has("dry-run")) return { data: estimate, text: said };
  await confirm(`${said} Save?`, call, input);
  return present(await readAnswer<Retention>(atelier.request(path, { method: "PUT", json })));
}

// Undefined: not given. Null: none.
function readDays({ call }: Asked, kind: (typeof kinds)[number]): number | null | undefined {
  const text = call.text(kind);
  if (text === undefined) return undefined;
  if (text === "none") return null;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw wrongCall("retention", [`--${kind} is a number of days, or none; not "${text}".`]);
}

export function estimateText({ applies_at, ...of }: RetentionEstimate): string {
  const parts = kinds.flatMap((kind) => {
    const { things, bytes } = of[kind];
    if (things === 0) return [];
    const noun = kind === "history" ? "entries of history" : kind;
    return [`${things} ${noun}${bytes === 0 ? "" : ` (${(bytes / 1e6).toFixed(1)} MB)`}`];
  });
  if (parts.length === 0) return "Nothing is that old now, so nothing would be deleted yet.";
  return `Of what is there now, this deletes ${parts.join(", ")} from ${applies_at} on.`;
}

function present(data: Retention): CommandResult {
  const line = (kind: string, days: number | null) =>
    `${kind.padEnd(8)} ${days === null ? "as long as the server keeps them" : `deleted after ${days} days`}`;
  const lines = [
    ...[line("outputs", data.outputs_days), line("uploads", data.uploads_days), line("history", data.history_days)],
    ...(data.applies_at === null ? [] : [`The last change applies from ${data.applies_at} on.`]),
  ];
  return { data, text: lines.join("\n") };
}
