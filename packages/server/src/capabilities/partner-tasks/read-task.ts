// A caller's read. An ended task is answered from its row. For a running one we ask the partner, at most once a second
// and once for all concurrent readers, and its answer counts like a callback. If the partner cannot be asked, we answer
// from the row: a read never fails because of the partner.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import type { Partner } from "../partners/index.ts";
import { type AtPartnerDeps, look } from "./at-partner.ts";
import type { ObserveTask } from "./change-tasks.ts";
import { isEnded } from "./next-step.ts";
import type { Task, TaskId } from "./task.ts";
import { findTask } from "./task-store.ts";

export interface ReadDeps extends AtPartnerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly observe: ObserveTask;
  partnerOf(slug: string): Partner | null;
}

export interface ReadTask {
  readonly workspaceId: WorkspaceId;
  readonly taskId: TaskId;
  readonly partner: string;
  // The operations whose tasks this read shows.
  readonly operations: ReadonlySet<string>;
}

export interface TaskReader {
  // Null if there is none, or it is not the caller's.
  read(wanted: ReadTask): Promise<Task | null>;
  // The partner was just asked elsewhere, by the poller.
  seen(taskId: TaskId): void;
}

const freshMs = 1_000;
const rememberedMax = 50_000;

export function taskReader(deps: ReadDeps): TaskReader {
  const lately = new TtlCache<TaskId, true>({ clock: deps.clock, keepMs: freshMs, entriesMax: rememberedMax });
  const asking = new Map<TaskId, Promise<Task | null>>();

  const seen = (taskId: TaskId) => lately.set(taskId, true);

  async function ask(task: Task, partner: Partner): Promise<Task | null> {
    seen(task.id);
    const looked = await look(deps, partner, task, never);
    if (looked.kind !== "reading") return null;
    return deps.observe({ taskId: task.id, observation: looked });
  }

  function refreshed(task: Task, partner: Partner): Promise<Task | null> {
    const running =
      asking.get(task.id) ??
      ask(task, partner)
        .catch(() => null)
        .finally(() => asking.delete(task.id));
    asking.set(task.id, running);
    return running;
  }

  return {
    seen,
    async read(wanted) {
      const task = await findTask(deps.database, wanted);
      if (!task || task.partner !== wanted.partner || !wanted.operations.has(task.operation)) return null;
      const partner = deps.partnerOf(task.partner);
      const isFresh = lately.get(task.id) === true;
      if (isEnded(task.state) || !partner || (isFresh && !asking.has(task.id))) return task;
      return (await refreshed(task, partner)) ?? task;
    },
  };
}

const never = new AbortController().signal;
