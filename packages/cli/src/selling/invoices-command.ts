// `atelier invoices`: what the workspace paid.
import { writeFile } from "node:fs/promises";
import type { Invoice } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { take } from "../files/take.ts";
import { type Asked, overHttp, readAnswer, walkPages } from "../server/over-http.ts";
import { moneyText } from "./money.ts";

export const invoicesCommand = overHttp({ ls: list, get });

async function list({ call, atelier }: Asked): Promise<CommandResult> {
  const limit = call.whole("limit", 1, 10_000) ?? 50;
  const data = await take(walkPages<Invoice>(atelier, "/account/invoices", { limit: Math.min(limit, 100) }), limit);
  const rows = data.map(({ paid_at, number, plan, credits, total_minor, currency, id }) => [
    ...[new Date(paid_at), number, plan, credits, moneyText(total_minor, currency), id],
  ]);
  return { data, text: { columns: ["paid", "number", "plan", "credits", "total", "id"], rows, empty: "No invoices." } };
}

async function get({ call, atelier }: Asked): Promise<CommandResult> {
  const path = `/account/invoices/${encodeURIComponent(call.words[0] ?? "")}`;
  const invoice = await readAnswer<Invoice>(atelier.request(path));
  const output = call.text("output") ?? `invoice-${(invoice.number ?? invoice.id).replace(/[^\w.-]/g, "-")}.pdf`;
  const answer = await atelier.request(`${path}/pdf`);
  await writeFile(output, new Uint8Array(await answer.arrayBuffer()));
  return { data: { ...invoice, file: output }, text: `Wrote ${output}.` };
}
