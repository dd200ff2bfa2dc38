// For a command that needs the database for a moment: opens what it needs, runs, and undoes everything in reverse order, even
// if it fails. Shares the embedded PostgreSQL with a running server.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { prepareSchema } from "../../capabilities/backup/index.ts";
import type { Config } from "../../config.ts";
import { systemClock } from "../../foundation/clock.ts";
import { openStorage, type Storage } from "../../foundation/database/opening/open-storage.ts";
import { type PersonId, parseId, type WorkspaceId } from "../../foundation/ids.ts";
import { createLifecycle, type Lifecycle } from "../../foundation/lifecycle.ts";
import { createLog, type Log } from "../../foundation/log.ts";
import { UsageProblem } from "../../foundation/settings.ts";
import { buildCapabilities, type Capabilities } from "../build/build-capabilities.ts";

export interface CommandParts {
  readonly storage: Storage;
  readonly life: Lifecycle;
  readonly log: Log;
  capabilities(): Promise<Capabilities>;
}

// Refused where no server was ever started: in the wrong folder a command would create a database and find nothing in it.
export async function withinProcess<T>(config: Config, run: (parts: CommandParts) => Promise<T>): Promise<T> {
  if (!isNeverStarted(config)) return withinAnyHome(config, run);
  throw new UsageProblem([
    `No server was ever started in ${resolve(config.home)}. Start one there with \`atelier serve\`, or name the data folder of yours with --home or ATELIER_HOME.`,
  ]);
}

// Creates the embedded database if there is none.
export async function withinAnyHome<T>(config: Config, run: (parts: CommandParts) => Promise<T>): Promise<T> {
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

export const isNeverStarted = (config: Pick<Config, "home" | "databaseUrl">): boolean =>
  config.databaseUrl === null && !existsSync(join(config.home, "postgres"));

// The actor that the audit names for changes made by a command.
export const commandLine = { actor: { kind: "system" as const, id: null, name: "command line" } };

// --workspace, else the oldest workspace.
export async function chooseWorkspace({ identity }: Capabilities, given: unknown): Promise<WorkspaceId> {
  if (typeof given === "string") {
    const id = parseId<"workspace">(given);
    if (id === null) throw new UsageProblem(["--workspace must be a workspace's id."]);
    return id;
  }
  const [oldest] = await identity.workspaces.list({ after: null, count: 1 });
  if (!oldest) throw new UsageProblem(["There is no workspace yet. Start the server once: atelier serve"]);
  return oldest.id;
}

// --expires-days. Null means never.
export function readExpiry(options: Readonly<Record<string, unknown>>): Date | null {
  const days = options["expires-days"] === undefined ? null : Number(options["expires-days"]);
  if (days !== null && !(Number.isInteger(days) && days > 0))
    throw new UsageProblem(["--expires-days must be a whole number above 0."]);
  return days === null ? null : new Date(systemClock.now().getTime() + days * 86_400_000);
}

export function requirePersonId(text: string): PersonId {
  const id = parseId<"person">(text);
  if (id === null) throw new UsageProblem(["Pass a person id; to list people: atelier workspace show <id>"]);
  return id;
}
