// `atelier budgets`: what the workspace, a key, a tag or an end user may spend in a day, a week or a month.
import type { AlertSettings, Budget, BudgetList } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { given } from "../given.ts";
import { wrongCall } from "../read-call.ts";
import { type Asked, overHttp, readAnswer } from "../server/over-http.ts";
import { confirm } from "../terminal/confirm.ts";

export const budgetsCommand = overHttp({ ls: list, set, show, delete: remove, odd });

const scopes = { "of-key": "key", tag: "tag", "end-user": "end_user" } as const;

async function set({ call, atelier }: Asked): Promise<CommandResult> {
  const [name = "", amount = ""] = call.words;
  if (!/^(0|[1-9]\d{0,11})(\.\d{1,6})?$/.test(amount))
    throw wrongCall("budgets", [`The amount is in credits, such as 500 or 0.25, not "${amount}".`]);
  const named = (["of-key", "tag", "end-user"] as const).filter((option) => call.text(option) !== undefined);
  const [only] = named;
  if (named.length > 1) throw wrongCall("budgets", ["Give one of --of-key, --tag and --end-user."]);
  const period = call.text("per") ?? "month";
  const emails = call.texts("email");
  const subject = only && call.text(only);
  const data = await atelier.budgets.put(name, {
    scope: only === undefined ? "workspace" : scopes[only],
    // The server names the ones that exist if this is none.
    period: period as Budget["period"],
    amount,
    at_limit: call.has("warn") ? "warn" : "stop",
    ...given({ subject, webhook_url: call.text("webhook-url") }),
    ...(emails.length === 0 ? {} : { emails }),
  });
  return { data, text: lineOf(data) };
}

async function show({ call, atelier }: Asked): Promise<CommandResult> {
  const data = await atelier.budgets.get(call.words[0] ?? "");
  const alerts = data.alerts.map(
    ({ at, threshold, spent, held, amount }) =>
      `  ${at}  ${threshold} %  ${spent} of ${amount}${held === "0" ? "" : `, ${held} held`}`,
  );
  return { data, text: [lineOf(data), ...alerts].join("\n") };
}

function lineOf(budget: Budget): string {
  const { name, spent, amount, period, held } = budget;
  const open = held === "0" ? "" : `, ${held} held by open calls`;
  return `${name}: ${spent} of ${amount} credits ${period === "day" ? "today" : `this ${period}`}${open}; ${whatHappens(budget)}`;
}

const whatHappens = ({ at_limit }: Pick<Budget, "at_limit">) =>
  at_limit === "stop" ? "then calls stop" : "then only an alert";

async function list({ atelier }: Asked): Promise<CommandResult> {
  const data: BudgetList["data"] = await atelier.budgets.list();
  const rows = data.map(({ name, scope, subject, period, amount, spent, held, at_limit }) => [
    ...[name, subject === null ? scope : `${scope} ${subject}`, period, amount, spent, held, at_limit],
  ]);
  const empty = "No budgets. Set one: atelier budgets set monthly 500";
  return { data, text: { columns: ["name", "of", "per", "amount", "spent", "held", "at 100 %"], rows, empty } };
}

// Shows it, after a change if one is asked for.
async function odd({ call, atelier }: Asked): Promise<CommandResult> {
  if (call.has("on") && call.has("off")) throw wrongCall("budgets", ["Give --on or --off."]);
  const path = "/account/alerts";
  const before = await readAnswer<AlertSettings>(atelier.request(path));
  const atLeast = call.text("at-least");
  const isChange = atLeast !== undefined || call.has("on") || call.has("off");
  const json = {
    watched: call.has("on") || (before.odd_spending.watched && !call.has("off")),
    at_least: atLeast ?? before.odd_spending.at_least,
  };
  const after = isChange
    ? await readAnswer<AlertSettings>(atelier.request(`${path}/odd-spending`, { method: "PUT", json }))
    : before;
  const { watched, at_least, alerts } = after.odd_spending;
  const lines = alerts.map(
    ({ hour, spent, average, highest }) => `  ${hour}  ${spent}; usually ${average}, at most ${highest}`,
  );
  const first = watched
    ? `Odd spending is reported from ${at_least} credits in an hour.`
    : "Odd spending is not reported.";
  return { data: after.odd_spending, text: [first, ...lines].join("\n") };
}

async function remove({ call, atelier, input }: Asked): Promise<CommandResult> {
  const [name = ""] = call.words;
  await confirm(`Delete the budget ${name}?`, call, input);
  await atelier.budgets.delete(name);
  return { data: { name }, text: `The budget ${name} is deleted.` };
}
