// What alerts say in an e-mail.
import type { OddSpending, WaitingAlert } from "../calls/index.ts";
import type { MailNotice } from "../mail/index.ts";
import { creditsText } from "../prices/index.ts";

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
