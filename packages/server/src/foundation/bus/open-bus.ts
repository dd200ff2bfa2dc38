// The bus of this process, according to ATELIER_BUS. The NATS client is loaded only if it is used.
import { readFile } from "node:fs/promises";
import type { Clock } from "../clock.ts";
import type { ConnectionSettings, Database } from "../database/index.ts";
import type { Log } from "../log.ts";
import { type Secret, UsageProblem } from "../settings.ts";
import { type Bus, inProcessBus } from "./bus.ts";
import { natsAddressOf } from "./nats-address.ts";
import { type NatsClient, natsBus } from "./nats-bus.ts";
import { postgresBus } from "./postgres-bus.ts";

export interface NatsSettings {
  readonly bus: string;
  readonly busCredentials: Secret | null;
  readonly busAuthorityFile: string | null;
}

export interface BusDeps {
  readonly config: NatsSettings & { readonly databasePooler: string; readonly databaseDirectUrl: Secret | null };
  readonly storage: {
    readonly database: Database;
    readonly connection: string | ConnectionSettings;
    readonly isEmbedded: boolean;
  };
  readonly clock: Clock;
  readonly log: Log;
}

export async function openBus({ config, storage, clock, log }: BusDeps): Promise<Bus> {
  if (natsAddressOf(config.bus) !== null) return openNats(config, { clock, log });
  const { database, connection, isEmbedded } = storage;
  const isShared = config.bus === "postgres" || (config.bus === "auto" && !isEmbedded);
  if (isShared && config.databasePooler === "transaction" && config.databaseDirectUrl === null)
    throw new UsageProblem([
      "Behind a transaction pooler the bus needs a direct connection: set ATELIER_DATABASE_DIRECT_URL, or use NATS with ATELIER_BUS.",
    ]);
  return isShared ? postgresBus({ connection, database, clock, log }) : inProcessBus();
}

export async function openNats(config: NatsSettings, { clock, log }: Pick<BusDeps, "clock" | "log">): Promise<Bus> {
  const address = natsAddressOf(config.bus);
  if (address === null) throw new UsageProblem(["ATELIER_BUS is not a NATS address."]);
  return natsBus({
    ...address,
    credentials: config.busCredentials?.reveal() ?? null,
    authority: config.busAuthorityFile === null ? null : await readAuthority(config.busAuthorityFile),
    client: await loadClient(),
    clock,
    log,
  });
}

async function loadClient(): Promise<NatsClient> {
  try {
    return await import("@nats-io/transport-node");
  } catch {
    throw new UsageProblem([
      "ATELIER_BUS uses NATS, but its client is not installed: npm install @nats-io/transport-node",
    ]);
  }
}

async function readAuthority(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
    throw new UsageProblem([`ATELIER_BUS_CA_FILE: cannot read ${path} (${code}).`]);
  }
}
