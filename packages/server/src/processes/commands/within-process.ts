// A command that needs the database for a moment: opens what it needs, runs, and undoes everything in reverse, also
// when it fails. Shares the embedded PostgreSQL with a running server.
import type { Config } from "../../config.ts";
import { systemClock } from "../../foundation/clock.ts";
import { createLifecycle, type Lifecycle } from "../../foundation/lifecycle.ts";
import { createLog, type Log } from "../../foundation/log.ts";
import { buildCapabilities, type Capabilities } from "../build/build-capabilities.ts";
import { openStorage, prepareSchema, type Storage } from "../build/open-storage.ts";

export interface CommandParts {
  readonly storage: Storage;
  readonly life: Lifecycle;
  readonly log: Log;
  capabilities(): Promise<Capabilities>;
}

export async function withinProcess<T>(config: Config, run: (parts: CommandParts) => Promise<T>): Promise<T> {
  const log = createLog({ level: config.logLevel === "info" ? "warn" : config.logLevel });
  const life = createLifecycle({ log, clock: systemClock });
  try {
    const storage = await openStorage({ config, life, log });
    const capabilities = async () => {
      await prepareSchema(storage, { config, log });
      const { database } = storage;
      const baseUrl = () => config.baseUrl ?? `http://${config.host}:${config.port}`;
      return buildCapabilities({ config, database, life, clock: systemClock, log, baseUrl });
    };
    return await run({ storage, life, log, capabilities });
  } finally {
    await life.stop("command done");
  }
}
