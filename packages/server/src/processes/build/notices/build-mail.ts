// E-mail of this process, and what alerts say in it.
import type { OddSpending, WaitingAlert } from "../../../capabilities/calls/index.ts";
import {
  createMail,
  createSendMail,
  type Mail,
  type MailNotice,
  mailMeter,
  mailProblems,
  readMailSettings,
  silentMailMeter,
} from "../../../capabilities/mail/index.ts";
import { creditsText } from "../../../capabilities/prices/index.ts";
import type { Config } from "../../../config.ts";
import type { Database } from "../../../foundation/database/index.ts";
import type { KnownSecrets } from "../../../foundation/known-secrets.ts";
import type { Metrics } from "../../../foundation/metrics.ts";
import { UsageProblem } from "../../../foundation/settings.ts";
import type { OwnAddresses } from "../../../surfaces/own-addresses.ts";
import type { ProcessDeps } from "../process-deps.ts";

export interface MailBuildDeps extends ProcessDeps {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly known: Pick<KnownSecrets, "text">;
}

export function buildMail({ config, life, clock, log, database, metrics, known }: MailBuildDeps): Mail {
  const settings = readMailSettings(config);
  const redact = (text: string) => known.text(text);
  const mail = createMail({
    ...{ database, clock, log, keepDays: config.webhookKeepDays },
    send: settings && createSendMail({ ...settings, clock, redact }),
    domain: settings?.from.address.split("@")[1] ?? "",
    meter: settings === null ? silentMailMeter : mailMeter(metrics, { database, clock }),
  });
  // An attempt in progress may finish.
  life.work("mail", mail, 70);
  return mail;
}

const periods = { day: "today", week: "this week", month: "this month" } as const;

// `consoleUrl`: null if people could not open it.
export function budgetMail(
  { budget, sequence, threshold, amount, spent, held }: WaitingAlert,
  consoleUrl: string | null,
): MailNotice {
  const { workspaceId, id: subjectId, name, scope, subject, emails } = budget;
  const [most, gone, open] = [amount, spent, held].map(creditsText);
  const of = { workspace: "all calls of the workspace", key: "the key", tag: "the tag", end_user: "the end user" }[
    scope
  ];
  const then =
    threshold < 100
      ? null
      : budget.atLimit === "stop"
        ? "Calls that could cost more than is left are refused with insufficient_credits until the period ends or the budget is raised."
        : "Calls continue, because this budget only warns.";
  return {
    ...{ workspaceId, type: "budget.threshold", subjectId, sequence, further: emails },
    subject: `Budget ${name}: ${threshold} % reached`,
    lines: [
      `The budget ${name} of ${most} credits per ${budget.period} has reached ${threshold} %. It counts ${of}${subject === "" ? "" : ` ${subject}`}.`,
      `Spent ${periods[budget.period]}: ${gone} credits. Held by open calls: ${open} credits.`,
      ...(then === null ? [] : [then]),
    ],
    link: consoleUrl && `${consoleUrl}/console/usage`,
    footer: mailFooter,
  };
}

export function spendingMail(
  { workspaceId, sequence, hour, spent, average, highest, weeks }: OddSpending,
  consoleUrl: string | null,
): MailNotice {
  const [gone, usual, most] = [spent, average, highest].map(creditsText);
  const time = `${hour.toISOString().slice(0, 13).replace("T", " ")}:00 UTC`;
  return {
    ...{ workspaceId, type: "spending.odd", subjectId: workspaceId, sequence },
    subject: `Odd spending: ${gone} credits in one hour`,
    lines: [
      `In the hour from ${time}, the workspace spent ${gone} credits.`,
      `In the same hour of the past ${weeks} weeks it spent ${usual} credits on average, and ${most} at most.`,
      "If that is not intended, look which key spends it, and revoke it or set a budget.",
    ],
    link: consoleUrl && `${consoleUrl}/console/usage`,
    footer: mailFooter,
  };
}

export const mailFooter =
  "You get this because you are an owner or billing person of the workspace, or because it names your address. Members turn it off on their profile, or with: atelier mail off";

// A server that could not send would lose alerts silently, so it does not start.
export function requireMail(config: Config): void {
  const problems = mailProblems(config);
  if (problems.length > 0) throw new UsageProblem(problems);
}

// Where people open the console. Null if only this machine could.
export function consoleUrl(
  { platformUrl }: Pick<OwnAddresses, "platformUrl">,
  { baseUrl, platformUrl: given }: Pick<Config, "baseUrl" | "platformUrl">,
): () => string | null {
  return () => (baseUrl === null && given === null ? null : platformUrl());
}
