// The router's promises against what was measured. A share or an added time is taken between the minima of each series: a
// disturbance only ever adds.
import { type Finding, median } from "./finding.ts";
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

type Limit = NonNullable<Finding["limit"]>;
const atMost = (value: number): Limit => ({ kind: "at most", value });
const atLeast = (value: number): Limit => ({ kind: "at least", value });

export function reportOf(input: ReportInput): RouterReport {
  return { findings: goals(input), sideBySide: sideBySide(input) };
}

function goals({ measured, memory, foreignCpu }: ReportInput): Finding[] {
  const crowd = (name: string) => measured.crowd.get(name) ?? [];
  const gatewayOf = (name: string) => least(crowd(name).map((turn) => turn.gatewayMicroseconds));
  const bothOf = (name: string) => least(crowd(name).map(bothMicroseconds));
  const p50Of = (name: string) => least((measured.alone.get(name) ?? []).map((turn) => turn.p50Ms));
  const finding = (name: string, unit: Finding["unit"], value: number, limit: Limit, rounds?: number[]): Finding => ({
    name: `router: ${name}`,
    value,
    unit,
    limit: { ...limit, value: Math.round(limit.value * 1000) / 1000 },
    ...(rounds ? { rounds } : {}),
    foreignCpu,
  });
  const speeds = crowd(durable).map((turn) => turn.perSecond);
  const shares = speeds.map((speed, round) => (100 * speed) / (measured.ledgerPerSecond[round] ?? Number.NaN));
  const replays = crowd(replayed).map((turn) => turn.perSecond);
  const bare = crowd(fastify).map((turn) => turn.perSecond);
  const freeShares = crowd(free).map((turn, round) => (100 * turn.perSecond) / (bare[round] ?? Number.NaN));
  const heap = memory.heapMegabytes;
  return [
    finding("durable call, gateway CPU against Fastify", "times", gatewayOf(durable) / gatewayOf(fastify), atMost(2)),
    finding(
      "durable call, gateway and PostgreSQL against Fastify",
      "times",
      bothOf(durable) / gatewayOf(fastify),
      atMost(3.5),
    ),
    ...(crowd(portkey).length === 0
      ? []
      : [
          finding(
            "durable call, gateway CPU against Portkey",
            "%",
            (100 * gatewayOf(durable)) / gatewayOf(portkey),
            atMost(100 / 6),
          ),
          finding(
            "durable call, gateway and PostgreSQL against Portkey",
            "%",
            (100 * bothOf(durable)) / gatewayOf(portkey),
            atMost(100 / 3),
          ),
        ]),
    finding("durable calls at 32 connections", "calls/s", median(speeds), atLeast(3500), speeds),
    finding("durable calls as a share of the ledger alone", "%", median(shares), atLeast(60), shares),
    finding("the ledger alone", "calls/s", median(measured.ledgerPerSecond), atLeast(9000), measured.ledgerPerSecond),
    finding("replays at 32 connections", "calls/s", median(replays), atLeast(6000), replays),
    finding(
      "unkeyed and free, as a share of Fastify's calls a second",
      "%",
      median(freeShares),
      atLeast(60),
      freeShares,
    ),
    finding("added p50 at one connection, unkeyed and free", "ms", p50Of(free) - p50Of("no gateway"), atMost(0.2)),
    finding("added p50 at one connection, durable", "ms", p50Of(durable) - p50Of("no gateway"), atMost(1)),
    finding("twenty bodies of 20 MiB at once: longest stall of the event loop", "ms", memory.stallMs, atMost(50)),
    { name: "router: of it the longest turn, by CPU time", value: memory.turnMs, unit: "ms", foreignCpu },
    finding("memory that one body of 20 MiB adds", "MiB", memory.oneBodyMebibytes, atMost(80)),
    // From the third tenth on: before that, caches and compiled code still grow.
    finding(
      `heap added between the third and the last tenth of ${(Math.round(memory.calls / 1000) * 1000).toLocaleString("en")} calls`,
      "MB",
      (heap.at(-1) ?? 0) - (heap[2] ?? 0),
      atMost(5),
      [...heap],
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
