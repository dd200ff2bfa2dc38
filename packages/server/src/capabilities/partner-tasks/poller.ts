// The background poller: asks partners about open tasks until they end, so that a caller who never asks again is settled
// all the same. Which process asks about what is a lease on shards in the database, renewed by one statement; the plan is
// in memory. A look that shows what is known already touches no database. Partners that answer slowly are asked about
// fewer tasks at once, those that fail less often, and each partner has its own places.
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { newId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import type { Partner } from "../partners/index.ts";
import { type AtPartnerDeps, look } from "./at-partner.ts";
import type { ObserveTask } from "./change-tasks.ts";
import { isEnded } from "./next-step.ts";
import { type Planned, PollPlan } from "./poll-plan.ts";
import { claimShards, releaseShards } from "./shard-store.ts";
import { shardOf, type Task, type TaskId } from "./task.ts";
import { listOpenTasks, type OpenTask } from "./task-store.ts";

export interface PollerDeps extends AtPartnerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly observe: ObserveTask;
  partnerOf(slug: string): Partner | null;
  seen(taskId: TaskId): void;
  readonly leaseSeconds?: number;
  readonly discoverSeconds?: number;
}

export interface Poller {
  // A task was begun here.
  started(task: OpenTask): void;
  changed(task: Task): void;
  // One round of each; the loop below calls them, tests too.
  claim(): Promise<readonly number[]>;
  discover(all: boolean): Promise<void>;
  poll(signal: AbortSignal): Promise<number>;
  readonly planned: number;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

const growth = 1.5;
const failureWaitMsMax = 60_000;
// What cannot be asked about is given up this long after its longest run; before the invariant on open calls speaks.
const graceSeconds = 20 * 60;
// As often as this in a row the partner must deny a task before it is believed.
const lostLooks = 4;
const allEverySeconds = 60;
const overlapMs = 30_000;

export function createPoller(deps: PollerDeps): Poller {
  const { database, clock, log } = deps;
  const { leaseSeconds = 15, discoverSeconds = 5 } = deps;
  const holderId = newId();
  const plan = new PollPlan(clock.monotonicMs());
  const asking = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let shards: ReadonlySet<number> = new Set();
  let lookedAt: Date | null = null;

  function add(task: OpenTask, isNew: boolean): void {
    const partner = deps.partnerOf(task.partner);
    if (!partner || !shards.has(shardOf(task.id)) || plan.has(task.id)) return;
    const { interval_ms, interval_ms_max } = partner.definition.poll;
    const waitMs = isNew ? interval_ms : interval_ms_max;
    // What was found after a restart is spread over one interval.
    plan.add(task, clock.monotonicMs() + (isNew ? waitMs : Math.random() * waitMs), waitMs);
  }

  async function claim(): Promise<readonly number[]> {
    const held = new Set(await claimShards(database, { holderId, leaseSeconds }));
    const hasMore = [...held].some((shard) => !shards.has(shard));
    shards = held;
    for (const id of [...plan.ids()]) if (!held.has(shardOf(id))) plan.remove(id);
    if (hasMore) await discover(true);
    return [...held];
  }

  async function discover(all: boolean): Promise<void> {
    if (shards.size === 0) return;
    const createdAfter = all || lookedAt === null ? null : new Date(lookedAt.getTime() - overlapMs);
    lookedAt = clock.now();
    for (const task of await listOpenTasks(database, { shards: [...shards], createdAfter })) add(task, false);
  }

  async function ask(planned: Planned, partner: Partner, signal: AbortSignal): Promise<void> {
    const { task } = planned;
    const { poll } = partner.definition;
    const looked = await look(deps, partner, task, signal);
    deps.seen(task.id);
    const ageSeconds = (clock.now().getTime() - task.createdAt.getTime()) / 1000;
    const isLate = ageSeconds > task.longestRunSeconds + (looked.kind === "reading" ? 0 : graceSeconds);
    if (looked.kind === "reading" && (looked.reading.state !== planned.state || isEnded(looked.reading.state))) {
      const after = await deps.observe({ taskId: task.id, observation: looked });
      planned.state = after?.state ?? looked.reading.state;
      planned.waitMs = poll.interval_ms;
    } else if (isLate || (looked.kind === "unknown" && planned.failures >= lostLooks)) {
      const kind = isLate ? "timed_out" : "lost";
      await deps.observe({ taskId: task.id, observation: { kind } });
      planned.state = "failed";
    } else planned.waitMs = Math.min(poll.interval_ms_max, planned.waitMs * growth);
    if (isEnded(planned.state)) return plan.remove(task.id);
    planned.failures = looked.kind === "reading" ? 0 : planned.failures + 1;
    const failureMs = Math.min(failureWaitMsMax, poll.interval_ms_max * 2 ** Math.min(6, planned.failures - 1));
    const least = looked.kind === "unreachable" ? looked.waitMs : 0;
    const waitMs = Math.max(least, planned.failures > 0 ? failureMs : planned.waitMs);
    // A little off each time, so that what began together does not stay together.
    plan.again(planned, clock.monotonicMs() + waitMs * (0.9 + Math.random() * 0.2));
  }

  async function poll(signal: AbortSignal): Promise<number> {
    const nowMs = clock.monotonicMs();
    const waiting: Planned[] = [];
    let begun = 0;
    for (const planned of plan.due(nowMs, 512)) {
      const slug = planned.task.partner;
      const partner = deps.partnerOf(slug);
      const count = asking.get(slug) ?? 0;
      if (!partner) plan.remove(planned.task.id);
      else if (count >= partner.definition.poll.at_once) waiting.push(planned);
      else {
        begun += 1;
        asking.set(slug, count + 1);
        const one = ask(planned, partner, signal)
          .catch((error: unknown) => {
            log.warn({ taskId: planned.task.id, err: error }, "a task could not be looked after; it is tried again");
            plan.again(planned, clock.monotonicMs() + partner.definition.poll.interval_ms_max);
          })
          .finally(() => {
            asking.set(slug, (asking.get(slug) ?? 1) - 1);
            running.delete(one);
          });
        running.add(one);
      }
    }
    for (const planned of waiting) plan.again(planned, nowMs + 100);
    return begun;
  }

  let rounds = 0;
  return {
    started: (task) => add(task, true),
    changed(task) {
      const planned = plan.get(task.id);
      if (planned && isEnded(task.state)) plan.remove(task.id);
      else if (planned) planned.state = task.state;
    },
    claim,
    discover,
    poll,
    get planned() {
      return plan.size;
    },
    async run(background, signal) {
      const everyAll = Math.max(1, Math.round(allEverySeconds / discoverSeconds));
      const discoverNext = () => discover(rounds++ % everyAll === 0);
      const works = [
        { name: "partner tasks: lease of shards", everyMs: (leaseSeconds * 1000) / 3, round: claim },
        { name: "partner tasks: find open tasks", everyMs: discoverSeconds * 1000, round: discoverNext },
        { name: "partner tasks: ask partners", everyMs: 100, round: poll },
      ];
      await Promise.all(works.map((work) => background.run(work, signal)));
      await Promise.allSettled(running);
      await releaseShards(database, holderId).catch(() => undefined);
    },
  };
}
