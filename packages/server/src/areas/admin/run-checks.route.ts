import { operations, type SystemCheckList } from "@atelier/contract";
import type { AdminCaller } from "../../capabilities/tokens/index.ts";
import { type Route, route } from "../../foundation/http/area.ts";
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
