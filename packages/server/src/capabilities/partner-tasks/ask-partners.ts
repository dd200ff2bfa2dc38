// Asks partners about the tasks that are due and schedules the next look at each. A look that shows nothing new touches
// no database. Slow partners are asked about fewer tasks at a time, failing ones less often, and no partner takes
// another's turns.
import type { Clock } from "../../foundation/clock.ts";
import type { Log } from "../../foundation/log.ts";
import type { Partner } from "../partners/index.ts";
import { type AtPartnerDeps, type Looked, look } from "./at-partner.ts";
import type { ObserveTask } from "./change-tasks.ts";
import { isEnded } from "./next-step.ts";
import type { Planned, PollPlan } from "./poll-plan.ts";
import type { TaskId } from "./task.ts";

export interface AskDeps extends AtPartnerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly observe: ObserveTask;
  partnerOf(slug: string): Partner | null;
  seen(taskId: TaskId): void;
}

type PollRules = Partner["definition"]["poll"];

const growth = 1.5;
const failureWaitMsMax = 60_000;
// A task that cannot be asked about is given up this long after its longest run, before the invariant on open calls
// reports it.
const graceSeconds = 20 * 60;
// How often in a row the partner must deny a task before we believe it.
const lostLooks = 4;
const dueAtOnce = 512;
const busyWaitMs = 100;

export function partnerAsker(
  deps: AskDeps,
  plan: PollPlan,
): {
  // Runs one round without waiting for the answers.
  askDue(signal: AbortSignal): Promise<void>;
  // Resolves when all outstanding answers have come.
  settled(): Promise<unknown>;
} {
  const asking = new Map<string, number>();
  const running = new Set<Promise<void>>();

  function begin(planned: Planned, partner: Partner, signal: AbortSignal): void {
    const slug = planned.task.partner;
    const one = ask(deps, plan, { planned, partner }, signal)
      .catch((error: unknown) => {
        deps.log.warn({ taskId: planned.task.id, err: error }, "a task could not be checked; it will be retried");
        plan.again(planned, deps.clock.monotonicMs() + partner.definition.poll.interval_ms_max);
      })
      .finally(() => {
        asking.set(slug, (asking.get(slug) ?? 1) - 1);
        running.delete(one);
      });
    running.add(one);
  }

  return {
    async askDue(signal) {
      const nowMs = deps.clock.monotonicMs();
      const waiting: Planned[] = [];
      for (const planned of plan.due(nowMs, dueAtOnce)) {
        const slug = planned.task.partner;
        const partner = deps.partnerOf(slug);
        const count = asking.get(slug) ?? 0;
        if (!partner) plan.remove(planned.task.id);
        else if (count >= partner.definition.poll.at_once) waiting.push(planned);
        else {
          asking.set(slug, count + 1);
          begin(planned, partner, signal);
        }
      }
      for (const planned of waiting) plan.again(planned, nowMs + busyWaitMs);
    },
    settled: () => Promise.allSettled(running),
  };
}

async function ask(
  deps: AskDeps,
  plan: PollPlan,
  { planned, partner }: { readonly planned: Planned; readonly partner: Partner },
  signal: AbortSignal,
): Promise<void> {
  const { poll } = partner.definition;
  const looked = await look(deps, partner, planned.task, signal);
  deps.seen(planned.task.id);
  await takeIn(deps, planned, looked, poll);
  if (isEnded(planned.state)) return plan.remove(planned.task.id);
  planned.failures = looked.kind === "reading" ? 0 : planned.failures + 1;
  plan.again(planned, deps.clock.monotonicMs() + waitMsOf(planned, looked, poll));
}

// Records news; if there is none, the next pause gets longer.
async function takeIn(deps: AskDeps, planned: Planned, looked: Looked, poll: PollRules): Promise<void> {
  const { task } = planned;
  const ageSeconds = (deps.clock.now().getTime() - task.createdAt.getTime()) / 1000;
  const isLate = ageSeconds > task.longestRunSeconds + (looked.kind === "reading" ? 0 : graceSeconds);
  if (looked.kind === "reading" && (looked.reading.state !== planned.state || isEnded(looked.reading.state))) {
    const after = await deps.observe({ taskId: task.id, observation: looked });
    planned.state = after?.state ?? looked.reading.state;
    planned.waitMs = poll.interval_ms;
  } else if (isLate || (looked.kind === "unknown" && planned.failures >= lostLooks)) {
    await deps.observe({ taskId: task.id, observation: { kind: isLate ? "timed_out" : "lost" } });
    planned.state = "failed";
  } else planned.waitMs = Math.min(poll.interval_ms_max, planned.waitMs * growth);
}

function waitMsOf({ failures, waitMs }: Planned, looked: Looked, poll: PollRules): number {
  const failureMs = Math.min(failureWaitMsMax, poll.interval_ms_max * 2 ** Math.min(6, failures - 1));
  const least = looked.kind === "unreachable" ? looked.waitMs : 0;
  // Adds jitter, so that tasks that started together do not stay together.
  return Math.max(least, failures > 0 ? failureMs : waitMs) * (0.9 + Math.random() * 0.2);
}
