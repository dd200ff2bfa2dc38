// How the background work of one process is going, for other processes to read, and what in it needs attention.
import type { WorkReport } from "../../foundation/background.ts";

export interface ProcessReport {
  readonly processId: string;
  readonly name: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly works: readonly WorkReport[];
}

// A round that is this late, or has taken this long, is not merely slow.
const graceSeconds = 300;

// One sentence for each work that fails or is stuck; `now` is by the same clock as `seenAt`.
export function problemsOf(report: ProcessReport, now: Date): readonly string[] {
  return report.works.flatMap((work) => {
    if (work.last?.result === "failed") return [`${work.name} fails: ${work.last.problem ?? "it does not say why"}`];
    const idleSince = endOf(work)?.getTime() ?? report.startedAt.getTime();
    const idleSeconds = (now.getTime() - idleSince) / 1000;
    const isLate = idleSeconds > work.everySeconds + graceSeconds;
    return isLate ? [`${work.name} has not run to its end for ${Math.round(idleSeconds / 60)} minutes`] : [];
  });
}

function endOf({ last }: WorkReport): Date | null {
  return last === null ? null : new Date(last.startedAt.getTime() + last.milliseconds);
}
