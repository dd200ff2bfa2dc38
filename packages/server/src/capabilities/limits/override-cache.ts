// What each workspace's limits were changed to, remembered for at most five seconds, counted from when it was asked for.
// A change made in this process is seen at once: the entry is dropped, and so is a look-up that was already under way.
import type { Clock } from "../../foundation/clock.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { LimitName } from "./limit-names.ts";

export type Overrides = ReadonlyMap<LimitName, number>;

export interface OverrideCache {
  // At once when remembered, otherwise a promise: the path of every request should not wait for nothing.
  get(workspaceId: WorkspaceId): Overrides | Promise<Overrides>;
  drop(workspaceId: WorkspaceId): void;
}

export interface OverrideCacheOptions {
  readonly clock: Clock;
  readonly look: (workspaceId: WorkspaceId) => Promise<Overrides>;
  readonly keepMs?: number;
  readonly entriesMax?: number;
}

export function createOverrideCache(options: OverrideCacheOptions): OverrideCache {
  const { clock, look, keepMs = 5_000, entriesMax = 10_000 } = options;
  const entries = new Map<WorkspaceId, { overrides: Overrides; askedMs: number }>();
  const pending = new Map<WorkspaceId, Promise<Overrides>>();

  async function lookUp(workspaceId: WorkspaceId): Promise<Overrides> {
    const askedMs = clock.monotonicMs();
    const running = look(workspaceId);
    pending.set(workspaceId, running);
    try {
      const overrides = await running;
      if (pending.get(workspaceId) === running) remember(workspaceId, { overrides, askedMs });
      return overrides;
    } finally {
      if (pending.get(workspaceId) === running) pending.delete(workspaceId);
    }
  }

  function remember(workspaceId: WorkspaceId, entry: { overrides: Overrides; askedMs: number }): void {
    // Deleted first, so that the map stays in the order of asking and the first entry is the oldest.
    entries.delete(workspaceId);
    const oldest = entries.size >= entriesMax ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
    entries.set(workspaceId, entry);
  }

  return {
    get(workspaceId) {
      const entry = entries.get(workspaceId);
      if (entry && clock.monotonicMs() - entry.askedMs < keepMs) return entry.overrides;
      return pending.get(workspaceId) ?? lookUp(workspaceId);
    },
    drop(workspaceId) {
      entries.delete(workspaceId);
      pending.delete(workspaceId);
    },
  };
}
