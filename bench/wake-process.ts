// One of the processes on a bus: tells its parent when it hears the others, publishes messages on request, and reports how long
// the others' messages took. All processes share the machine's clock.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bus } from "../packages/server/src/foundation/bus/bus.ts";
import { natsBus } from "../packages/server/src/foundation/bus/nats-bus.ts";
import { postgresBus } from "../packages/server/src/foundation/bus/postgres-bus.ts";
import { systemClock } from "../packages/server/src/foundation/clock.ts";
import { type ConnectionSettings, openDatabase } from "../packages/server/src/foundation/database/index.ts";
import { silentLog } from "../packages/server/src/foundation/log.ts";

export type WakeAddress =
  | { readonly kind: "nats"; readonly url: string }
  | { readonly kind: "postgres"; readonly connection: ConnectionSettings };

export interface WakeReport {
  readonly tookMs: readonly number[];
}

const topic = "bench.wake";
// Far enough apart that each is a separate message.
const apartMs = 12;
const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

async function open(address: WakeAddress): Promise<Bus> {
  const common = { clock: systemClock, log: silentLog };
  if (address.kind === "postgres") {
    const { connection } = address;
    return postgresBus({ ...common, connection, database: openDatabase({ connection, poolSize: 2, readers: 0 }) });
  }
  const client = await import("@nats-io/transport-node");
  return natsBus({ ...common, servers: [address.url], prefix: "bench", credentials: null, authority: null, client });
}

const bus = await open(JSON.parse(process.argv[2] ?? "{}"));
const tookMs: number[] = [];
bus.subscribe(topic, (sentMs) => void tookMs.push(nowMs() - Number(sentMs)));
while (bus.problem() !== null) await sleep(20);
// A subscription takes a moment to arrive.
await sleep(500);
process.send?.("ready");
process.on("disconnect", () => process.exit(0));
for (;;) {
  const [order]: { publish?: number; report?: number }[] = await once(process, "message");
  for (let count = 0; count < (order?.publish ?? 0); count++) {
    bus.publish(topic, nowMs());
    await sleep(apartMs);
  }
  if (order?.publish !== undefined) {
    await sleep(1_000);
    process.send?.("published");
  } else process.send?.({ tookMs } satisfies WakeReport);
}
