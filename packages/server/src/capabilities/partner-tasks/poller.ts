// The background poller asks partners about open tasks until they end, so that a task is settled even if its caller never
// asks again. Leases on shards in the database, renewed by one statement, decide which process asks about what; the plan
// is in memory.
import { type Background, runHolding } from "../../foundation/background.ts";
import type { Database } from "../../foundation/database/index.ts";
import { newId } from "../../foundation/ids.ts";
import { type AskDeps, partnerAsker } from "./ask-partners.ts";
import { isEnded } from "./next-step.ts";
import { PollPlan } from "./poll-plan.ts";
import { claimShards, releaseShards } from "./shard-store.ts";
import { shardOf, type Task } from "./task.ts";
import { listOpenTasks, type OpenTask } from "./task-store.ts";

export interface PollerDeps extends AskDeps {
  readonly database: Database;
  readonly leaseSeconds?: number;
}

export interface Poller {
  // A task was started here.
  started(task: OpenTask): void;
  changed(task: Task): void;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

const role = "background";
const discoverSeconds = 5;
const allEverySeconds = 60;
const overlapMs = 30_000;

export function createPoller(deps: PollerDeps): Poller {
  const { database, clock, leaseSeconds = 15 } = deps;
  const holderId = newId();
  const plan = new PollPlan(clock.monotonicMs());
  const asker = partnerAsker(deps, plan);
  let shards: ReadonlySet<number> = new Set();
  let lookedAt: Date | null = null;

  function add(task: OpenTask, isNew: boolean): void {
    const partner = deps.partnerOf(task.partner);
    if (!partner || !shards.has(shardOf(task.id)) || plan.has(task.id)) return;
    const { interval_ms, interval_ms_max } = partner.definition.poll;
    const waitMs = isNew ? interval_ms : interval_ms_max;
    // Tasks found after a restart are spread over one interval.
    plan.add(task, clock.monotonicMs() + (isNew ? waitMs : Math.random() * waitMs), waitMs);
  }

  async function claim(): Promise<void> {
    const held = new Set(await claimShards(database, { holderId, leaseSeconds }));
    const hasMore = [...held].some((shard) => !shards.has(shard));
    shards = held;
    for (const id of [...plan.ids()]) if (!held.has(shardOf(id))) plan.remove(id);
    if (hasMore) await discover(true);
  }

  async function discover(all: boolean): Promise<void> {
    if (shards.size === 0) return;
    const createdAfter = all || lookedAt === null ? null : new Date(lookedAt.getTime() - overlapMs);
    lookedAt = clock.now();
    for (const task of await listOpenTasks(database, { shards: [...shards], createdAfter })) add(task, false);
  }

  let rounds = 0;
  const everyAll = Math.max(1, Math.round(allEverySeconds / discoverSeconds));
  const discoverNext = () => discover(rounds++ % everyAll === 0);
  return {
    started: (task) => add(task, true),
    changed(task) {
      const planned = plan.get(task.id);
      if (planned && isEnded(task.state)) plan.remove(task.id);
      else if (planned) planned.state = task.state;
    },
    run: (background, until) =>
      runHolding(
        background,
        [
          { name: "partner tasks: lease of shards", role, everyMs: (leaseSeconds * 1000) / 3, round: claim, until },
          { name: "partner tasks: find open tasks", role, everyMs: discoverSeconds * 1000, round: discoverNext, until },
          { name: "partner tasks: ask partners", role, everyMs: 100, round: asker.askDue, until },
        ],
        async () => {
          await asker.settled();
          await releaseShards(database, holderId);
        },
      ),
  };
}
