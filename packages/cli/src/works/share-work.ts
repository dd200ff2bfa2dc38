// `atelier works share`: links with which people without an account run a work. The link is printed once.
import type { CommandResult } from "@atelier/server/commands";
import { wrongCall } from "../read-call.ts";
import type { Asked } from "../server/over-http.ts";
import { confirm } from "../terminal/confirm.ts";
import { namedWork } from "./named-work.ts";

const usualDays = 30;

export async function shareWork({ call, atelier, input }: Asked): Promise<CommandResult> {
  const { name } = namedWork(call.words[0] ?? "");
  if (call.has("list")) return listLinks(atelier, name);
  const ending = call.text("end");
  if (ending !== undefined) {
    await confirm("End this link? Nobody can use it afterwards.", call, input);
    await atelier.works.links.delete(name, ending);
    return { data: { id: ending }, text: "The link has ended." };
  }
  const budget = call.text("budget");
  if (budget === undefined || !/^(0|[1-9]\d{0,11})(\.\d{1,6})?$/.test(budget))
    throw wrongCall("works", ["Say what all runs through the link may cost together, in credits: --budget 50"]);
  const label = call.text("label");
  const expiresAt = endOf(call.text("until"));
  const data = await atelier.works.links.create(name, { budget, expiresAt, ...(label === undefined ? {} : { label }) });
  if (!input.json)
    input.say(
      `  Up to ${data.budget} credits, until ${data.expires_at}. Your workspace pays. The link is not shown again.`,
    );
  return { data, text: data.url };
}

async function listLinks(atelier: Asked["atelier"], name: string): Promise<CommandResult> {
  const data = await atelier.works.links.list(name);
  const rows = data.map(({ id, label, spent, budget, expires_at: end, ended_at: ended }) => [
    id,
    label,
    `${spent} of ${budget}`,
    ended === null ? "no" : "yes",
    new Date(end),
  ]);
  const empty = `${name} has no link. Make one: atelier works share ${name} --budget 50`;
  return { data, text: { columns: ["link", "for", "spent", "ended", "until"], rows, empty } };
}

// A date means its end, in the zone of this computer.
function endOf(until: string | undefined): Date {
  if (until === undefined) return new Date(Date.now() + usualDays * 24 * 3_600_000);
  const end = new Date(/^\d{4}-\d{2}-\d{2}$/.test(until) ? `${until}T23:59:59` : until);
  if (!Number.isNaN(end.getTime())) return end;
  throw wrongCall("works", [`--until "${until}" is not a time; give a date such as 2027-01-31.`]);
}
