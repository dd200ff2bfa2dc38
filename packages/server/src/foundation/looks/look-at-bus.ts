// Whether the bus can be reached.
import type { Bus } from "../bus/bus.ts";
import { natsAddressOf } from "../bus/nats-address.ts";
import { type NatsSettings, openNats } from "../bus/open-bus.ts";
import { systemClock } from "../clock.ts";
import { silentLog } from "../log.ts";
import { type Finding, problem, well } from "./finding.ts";

const busMs = 3_000;

// Only NATS needs a check: the other kinds live in this process or in the database.
export async function lookAtBus(config: NatsSettings): Promise<Finding[]> {
  const address = natsAddressOf(config.bus);
  if (address === null) return [];
  const where = `NATS at ${address.servers.join(", ")}`;
  const bus = await openNats(config, { clock: systemClock, log: silentLog });
  try {
    // Not reachable: every server was tried.
    for (let waited = 0; /not connected yet/.test(bus.problem() ?? "") && waited < busMs; waited += 50)
      await systemClock.sleep(50);
    return [busFinding(where, bus.problem())];
  } finally {
    await bus.close();
  }
}

export function busFinding(where: string, found: string | null): Finding {
  if (found === null) return well("bus", `${where} responds`);
  return problem(
    "bus",
    `${where}: ${found}`,
    "start it, or check ATELIER_BUS and ATELIER_BUS_CREDENTIALS; until then servers notice each other's work late, and new ones do not become ready",
  );
}

// Of a bus in use. Without other processes there is nothing to reach.
export function busFindings(bus: Pick<Bus, "reachesOthers" | "problem">): readonly Finding[] {
  return bus.reachesOthers ? [busFinding("The bus", bus.problem())] : [];
}
