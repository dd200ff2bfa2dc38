// The self-check of the server, and the test of its mail server.
import { operations, type SystemCheckList, TestMail } from "@atelier/contract";
import type { Mail } from "../../capabilities/mail/index.ts";
import type { AdminCaller } from "../../capabilities/tokens/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Route, route } from "../../foundation/http/area.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { freshAnswer } from "./fresh-answer.ts";

export interface ChecksDeps {
  // Checks everything that this server needs.
  runChecks(): Promise<{
    readonly checkedAt: Date;
    readonly startedAt: Date;
    readonly version: string;
    readonly findings: readonly {
      readonly name: string;
      readonly state: "ok" | "warning" | "problem";
      readonly message: string;
      readonly mend?: string;
    }[];
  }>;
}

export function runChecksRoute({ runChecks }: ChecksDeps): Route<AdminCaller> {
  return route(operations.runChecks, async () => {
    const { checkedAt, startedAt, version, findings } = await runChecks();
    const list: SystemCheckList = {
      checked_at: checkedAt.toISOString(),
      version,
      started_at: startedAt.toISOString(),
      data: findings.map(({ name, state, message, mend }) => ({ name, status: state, message, advice: mend ?? null })),
    };
    return freshAnswer(200, list);
  });
}

export interface TestMailDeps {
  readonly mail: Pick<Mail, "sendTest">;
}

export function testMailRoute({ mail }: TestMailDeps): Route<AdminCaller> {
  return route(operations.testMail, async (incoming) => {
    const { to } = requireValid(TestMail, await incoming.json());
    const outcome = await mail.sendTest(to);
    if (outcome === null)
      throw new Fault(
        "conflict",
        "This server sends no mail. Set ATELIER_SMTP_URL and ATELIER_MAIL_FROM, and restart it.",
      );
    return freshAnswer(200, { status: outcome.kind, answer: outcome.answer });
  });
}
