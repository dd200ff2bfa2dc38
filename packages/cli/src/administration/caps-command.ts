// `atelier caps`: what one API key may spend in a UTC day and in a UTC month.
import type { KeyCaps } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { wrongCall } from "../read-call.ts";
import { type Asked, overHttp, readAnswer } from "../server/over-http.ts";

export const capsCommand = overHttp({ show, set });

const pathOf = ({ call }: Asked) => `/account/keys/${encodeURIComponent(call.words[0] ?? "")}/caps`;
const read = (asked: Asked) => readAnswer<KeyCaps>(asked.atelier.request(pathOf(asked)));

async function show(asked: Asked): Promise<CommandResult> {
  return present(await read(asked));
}

async function set(asked: Asked): Promise<CommandResult> {
  const [daily, monthly] = [readCap(asked, "daily"), readCap(asked, "monthly")];
  if (daily === undefined && monthly === undefined) throw wrongCall("caps", ["Give --daily, --monthly or both."]);
  const now = await read(asked);
  const json = {
    daily_credits_max: daily === undefined ? now.daily_credits_max : daily,
    monthly_credits_max: monthly === undefined ? now.monthly_credits_max : monthly,
  };
  return present(await readAnswer<KeyCaps>(asked.atelier.request(pathOf(asked), { method: "PUT", json })));
}

function readCap({ call }: Asked, option: "daily" | "monthly"): string | null | undefined {
  const given = call.text(option);
  if (given === undefined) return undefined;
  if (given === "none") return null;
  if (/^(0|[1-9]\d{0,12})(\.\d{1,6})?$/.test(given)) return given;
  throw wrongCall("caps", [`--${option} is in credits, such as 50 or 0.25, or none; not "${given}".`]);
}

function present(caps: KeyCaps): CommandResult {
  const line = (spent: string, most: string | null, when: string) =>
    `${spent} of ${most === null ? "any number of" : most} credits ${when}`;
  const held = caps.held === "0" ? "" : `; ${caps.held} held by open calls`;
  const days = line(caps.spent_today, caps.daily_credits_max, "today");
  return {
    data: caps,
    text: `${days}, ${line(caps.spent_this_month, caps.monthly_credits_max, "this month")}${held}.`,
  };
}
