// `atelier plans`: the workspace's plan and what it can buy; for operators, what is sold.
import type { PlanOverview } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { given } from "../given.ts";
import { wrongCall } from "../read-call.ts";
import { type Asked, overHttp, readAnswer } from "../server/over-http.ts";
import { confirm } from "../terminal/confirm.ts";
import { moneyText, readMoney } from "./money.ts";

interface Plan {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly credits: string;
  readonly price_minor: number;
  readonly currency: string;
  readonly price_id: string;
  readonly rolls_over: boolean;
  readonly is_retired: boolean;
}

// What is sold needs the operator's token.
export const plansCommand = overHttp({ show }, { ls: list, create, change, retire });

async function show({ atelier }: Asked): Promise<CommandResult> {
  const data = await readAnswer<PlanOverview>(atelier.request("/account/plans"));
  const current = data.current.map(({ name, state, period_end, grace_until }) => {
    const until = grace_until ?? period_end;
    return `${name}: ${state}${until === null ? "" : `, until ${until}`}`;
  });
  const offers = data.offers.map(({ name, kind, credits, price_minor, currency, checkout_url }) => {
    const price = `${moneyText(price_minor, currency)}${kind === "once" ? "" : " a period"}`;
    return `${name}: ${credits} credits for ${price}\n  ${checkout_url ?? "ask the operator"}`;
  });
  const lines = [
    ...(current.length === 0 ? ["This workspace has no plan."] : current),
    ...(offers.length === 0 ? [] : ["", "To buy:", ...offers]),
  ];
  return { data, text: lines.join("\n") };
}

async function list({ atelier }: Asked): Promise<CommandResult> {
  const { data } = await readAnswer<{ readonly data: readonly Plan[] }>(atelier.request("/admin/plans"));
  const rows = data.map((plan) => [
    ...[plan.name, plan.kind, plan.credits, moneyText(plan.price_minor, plan.currency), plan.price_id],
    ...[plan.rolls_over ? "keeps" : "ends", plan.is_retired ? "retired" : "sold", plan.id],
  ]);
  const columns = ["name", "kind", "credits", "price", "provider's price", "left over", "state", "id"];
  return { data, text: { columns, rows, empty: "No plans. Create one: atelier plans create <name> …" } };
}

async function create(asked: Asked): Promise<CommandResult> {
  const { call, atelier } = asked;
  const [credits, price, priceId] = [call.text("credits"), readPrice(asked), call.text("price-id")];
  if (credits === undefined || price === undefined || priceId === undefined)
    throw wrongCall("plans", ['Give --credits, --price (such as "19.00 EUR") and --price-id.']);
  const json = {
    ...{ name: call.words[0], credits, price_id: priceId, ...price },
    kind: call.has("once") ? "once" : "subscription",
    rolls_over: !call.has("no-roll-over"),
    checkout_url: call.text("checkout-url") ?? null,
  };
  return present(await readAnswer<Plan>(atelier.request("/admin/plans", { method: "POST", json })), "Created");
}

async function change(asked: Asked): Promise<CommandResult> {
  const { call } = asked;
  const checkoutUrl = call.text("checkout-url");
  const json = {
    ...given({ name: call.text("name"), credits: call.text("credits") }),
    ...given({ checkout_url: checkoutUrl === "none" ? null : checkoutUrl }),
    ...readPrice(asked),
    ...(call.has("no-roll-over") ? { rolls_over: false } : {}),
    ...(call.has("roll-over") ? { rolls_over: true } : {}),
  };
  if (Object.keys(json).length === 0) throw wrongCall("plans", ["Say what to change: --name, --credits, --price …"]);
  return present(await patch(asked, json), "Changed");
}

async function retire(asked: Asked): Promise<CommandResult> {
  const undo = asked.call.has("undo");
  if (!undo) await confirm("Stop offering this plan? Who has it keeps it.", asked.call, asked.input);
  return present(await patch(asked, { is_retired: !undo }), undo ? "Offered again" : "Retired");
}

const patch = ({ call, atelier }: Asked, json: object) =>
  readAnswer<Plan>(
    atelier.request(`/admin/plans/${encodeURIComponent(call.words[0] ?? "")}`, { method: "PATCH", json }),
  );

function readPrice({ call }: Asked): { price_minor: number; currency: string } | undefined {
  const text = call.text("price");
  if (text === undefined) return undefined;
  const money = readMoney(text);
  if (money === null)
    throw wrongCall("plans", [`--price is an amount and a currency, such as "19.00 EUR", not "${text}".`]);
  return { price_minor: money.minor, currency: money.currency };
}

function present(data: Plan, done: string): CommandResult {
  const { name, credits, price_minor, currency, id } = data;
  return { data, text: `${done}: ${name}, ${credits} credits for ${moneyText(price_minor, currency)} (${id}).` };
}
