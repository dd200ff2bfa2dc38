// The router's promises against what was measured. A share or an added time is taken between the minima of each series: a
// disturbance only ever adds.
import { atLeast, atMost, type Finding, median, reportWith } from "./finding.ts";
import type { BodiesAndMemory } from "./router-bodies.ts";
import type { Measured, Target, Turn } from "./router-measured.ts";

export interface RouterReport {
  readonly findings: Finding[];
  // All gateways side by side.
  readonly sideBySide: string;
}

export interface ReportInput {
  readonly targets: readonly Target[];
  readonly measured: Measured;
  readonly memory: BodiesAndMemory;
  readonly foreignCpu: number | null;
}

const fastify = "Fastify + Ajv + undici";
const portkey = "@portkey-ai/gateway";
export const durable = "Atelier, keyed, hold and settle";
export const replayed = "Atelier, replay";
const free = "Atelier, unkeyed and free";

export function reportOf(input: ReportInput): RouterReport {
  return { findings: goals(input), sideBySide: sideBySide(input) };
}

function goals({ measured, memory, foreignCpu }: ReportInput): Finding[] {
  const crowd = (name: string) => measured.crowd.get(name) ?? [];
  const gatewayOf = (name: string) => least(crowd(name).map((turn) => turn.gatewayMicroseconds));
  const bothOf = (name: string) => least(crowd(name).map(bothMicroseconds));
  const p50Of = (name: string) => least((measured.alone.get(name) ?? []).map((turn) => turn.p50Ms));
  const { one, medianOf } = reportWith(foreignCpu);
  const speeds = crowd(durable).map((turn) => turn.perSecond);
  const shares = speeds.map((speed, round) => (100 * speed) / (measured.ledgerPerSecond[round] ?? Number.NaN));
  const replays = crowd(replayed).map((turn) => turn.perSecond);
  const bare = crowd(fastify).map((turn) => turn.perSecond);
  const freeShares = crowd(free).map((turn, round) => (100 * turn.perSecond) / (bare[round] ?? Number.NaN));
  const heap = memory.heapMegabytes;
  const gateway = gatewayOf(durable);
  const both = bothOf(durable);
  const [fastifyCpu, portkeyCpu] = [gatewayOf(fastify), gatewayOf(portkey)];
  const direct = p50Of("no gateway");
  const calls = (Math.round(memory.calls / 1000) * 1000).toLocaleString("en");
  return [
    one("router: durable call, gateway CPU against Fastify", gateway / fastifyCpu, "times", atMost(2)),
    one("router: durable call, gateway and PostgreSQL against Fastify", both / fastifyCpu, "times", atMost(3.5)),
    ...(crowd(portkey).length === 0
      ? []
      : [
          // A sixth and a third of it.
          one("router: durable call, gateway CPU against Portkey", (100 * gateway) / portkeyCpu, "%", atMost(16.667)),
          one(
            "router: durable call, gateway and PostgreSQL against Portkey",
            (100 * both) / portkeyCpu,
            "%",
            atMost(33.333),
          ),
        ]),
    medianOf("router: durable calls at 32 connections", speeds, "calls/s", atLeast(3500)),
    medianOf("router: durable calls as a share of the ledger alone", shares, "%", atLeast(60)),
    medianOf("router: the ledger alone", measured.ledgerPerSecond, "calls/s", atLeast(9000)),
    medianOf("router: replays at 32 connections", replays, "calls/s", atLeast(6000)),
    medianOf("router: unkeyed and free, as a share of Fastify's calls a second", freeShares, "%", atLeast(60)),
    one("router: added p50 at one connection, unkeyed and free", p50Of(free) - direct, "ms", atMost(0.2)),
    one("router: added p50 at one connection, durable", p50Of(durable) - direct, "ms", atMost(1)),
    one("router: twenty bodies of 20 MiB at once: longest stall of the event loop", memory.stallMs, "ms", atMost(50)),
    one("router: of it the longest turn, by CPU time", memory.turnMs, "ms"),
    one("router: memory that one body of 20 MiB adds", memory.oneBodyMebibytes, "MiB", atMost(80)),
    // From the third tenth on: before that, caches and compiled code still grow.
    one(
      `router: heap added between the third and the last tenth of ${calls} calls`,
      (heap.at(-1) ?? 0) - (heap[2] ?? 0),
      "MB",
      atMost(5),
      heap,
    ),
  ];
}

function sideBySide({ targets, measured }: ReportInput): string {
  const head = [
    "Gateway",
    "calls/s, 32",
    "p50/p99 ms, 32",
    "calls/s, 1",
    "p50/p99 ms, 1",
    "gateway µs",
    "PostgreSQL µs",
  ];
  const rows = targets.map(({ name, isOurs }) => {
    const of = (turns: readonly Turn[] | undefined, pick: (turn: Turn) => number) => median((turns ?? []).map(pick));
    const [crowd, alone] = [measured.crowd.get(name), measured.alone.get(name)];
    const times = (turns: readonly Turn[] | undefined) =>
      `${of(turns, (turn) => turn.p50Ms).toFixed(2)} / ${of(turns, (turn) => turn.p99Ms).toFixed(2)}`;
    return [
      name,
      of(crowd, (turn) => turn.perSecond).toFixed(0),
      times(crowd),
      of(alone, (turn) => turn.perSecond).toFixed(0),
      times(alone),
      of(crowd, (turn) => turn.gatewayMicroseconds).toFixed(0),
      isOurs ? of(crowd, (turn) => turn.postgresMicroseconds).toFixed(0) : "–",
    ];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const notes = [
    `The ledger alone (begin + finish, no HTTP): ${median(measured.ledgerPerSecond).toFixed(0)} calls/s.`,
    `fdatasync of 8 KiB: ${median(measured.fdatasyncMs).toFixed(3)} ms.`,
  ];
  return `${[line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n")}\n\n${notes.join(" ")}`;
}

const bothMicroseconds = (turn: Turn) => turn.gatewayMicroseconds + turn.postgresMicroseconds;
const least = (values: readonly number[]) => Math.min(...values);
