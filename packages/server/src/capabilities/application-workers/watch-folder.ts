// Watches the application's folder of a remote worker: the server says which lock is pinned, and sends it once.
import { join, resolve } from "node:path";
import { blake3Stream } from "../blobs/index.ts";
import { type EnvironmentLock, readLock } from "../environments/index.ts";
import type { ServerClient } from "../remote-work/index.ts";
import type { WorkerEngine, WorkerEngineDeps } from "./application-engine.ts";
import { type LockWatch, type LockWatchDeps, watchLock } from "./watch-lock.ts";

export interface FolderWatchDeps extends WorkerEngineDeps, Pick<LockWatchDeps, "env"> {
  readonly config: WorkerEngineDeps["config"] & { readonly applicationFolder: string | null; readonly home: string };
  readonly server: Pick<ServerClient, "call">;
  readonly engine: Pick<WorkerEngine, "running">;
}

export interface FolderWatch extends LockWatch {
  // Looks again soon if the lock is another one.
  pin(lockId: string | null): void;
  // Called after a change.
  follow(changed: () => void): void;
}

// A lock may list a hundred thousand weights.
const readMs = 60_000;

// Null without ATELIER_APPLICATION_FOLDER: then the worker looks at nothing.
export function watchFolder(deps: FolderWatchDeps): FolderWatch | null {
  const { config, server, workerId, engine } = deps;
  if (config.applicationFolder === null) return null;
  let pinnedId: string | null = null;
  let kept: { readonly id: string; readonly lock: EnvironmentLock } | null = null;
  let changed: () => void = () => undefined;
  const watch = watchLock({
    ...deps,
    onChange: () => changed(),
    folder: resolve(config.applicationFolder),
    memory: join(resolve(config.home), "env", "hashes"),
    blake3: blake3Stream(),
    running: () => engine.running(),
    async pinned() {
      const id = pinnedId;
      if (id === null) return null;
      if (kept?.id !== id)
        kept = {
          id,
          lock: readLock(await server.call({ method: "GET", path: `/api/workers/${workerId}/lock`, totalMs: readMs })),
        };
      return kept.lock;
    },
  });
  return {
    ...watch,
    follow(receive) {
      changed = receive;
    },
    pin(id) {
      if (id === pinnedId) return;
      pinnedId = id;
      // A failure is repeated by the next look.
      void watch.round().catch(() => undefined);
    },
  };
}
