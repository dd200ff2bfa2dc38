// The bus of this process, according to ATELIER_BUS. The NATS client is loaded only if it is used.
import { readFile } from "node:fs/promises";
import { natsAddressOf } from "../../../bus-settings.ts";
import type { Config } from "../../../config.ts";
import { type Bus, inProcessBus } from "../../../foundation/bus/bus.ts";
import { type NatsClient, natsBus } from "../../../foundation/bus/nats-bus.ts";
import { postgresBus } from "../../../foundation/bus/postgres-bus.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { Log } from "../../../foundation/log.ts";
import { UsageProblem } from "../../../foundation/settings.ts";
import type { Storage } from "./open-storage.ts";

export interface BusDeps {
  readonly config: Pick<Config, "bus" | "busCredentials" | "busAuthorityFile" | "databasePooler" | "databaseDirectUrl">;
  readonly storage: Pick<Storage, "database" | "connection" | "isEmbedded">;
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

export async function openNats(
  config: Pick<Config, "bus" | "busCredentials" | "busAuthorityFile">,
  { clock, log }: Pick<BusDeps, "clock" | "log">,
): Promise<Bus> {
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
