// How soon a message from one process reaches the others: ten real processes on one bus, one of which publishes. Over NATS, if
// the machine has a NATS server, and over PostgreSQL, which batches messages published within five milliseconds.
import type { ChildProcess } from "node:child_process";
import { startEmbeddedPostgres } from "../packages/server/src/foundation/database/index.ts";
import { hasNats, testNats } from "../packages/server/test/support/test-nats-server.ts";
import { answerOf, spawnChild } from "./children.ts";
import { atMost, type Finding, median, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { node } from "./processes.ts";
import type { WakeAddress, WakeReport } from "./wake-process.ts";

const processes = 10;
const answerMsMax = 120_000;

export async function benchWakeUps(home: string, messages: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (hasNats) {
    const nats = await testNats();
    await nats.start();
    try {
      findings.push(...(await measure("NATS", { kind: "nats", url: nats.url }, messages, 5)));
    } finally {
      await nats.kill();
    }
  } else process.stderr.write("skipped wake-ups over NATS: nats-server is not installed\n");
  const postgres = await startEmbeddedPostgres({ dataDir: `${home}/wake` });
  try {
    const address: WakeAddress = { kind: "postgres", connection: postgres.connection };
    findings.push(...(await measure("PostgreSQL", address, messages, null)));
  } finally {
    await postgres.stop();
  }
  return findings;
}

async function measure(
  name: string,
  address: WakeAddress,
  messages: number,
  limitMs: number | null,
): Promise<Finding[]> {
  const children: ChildProcess[] = [];
  try {
    for (let index = 0; index < processes; index++) {
      const child = spawnChild([...node("bench/wake-process.ts"), JSON.stringify(address)]);
      children.push(child);
      await answerOf(child, answerMsMax);
    }
    const [publisher, ...hearers] = children;
    const cpu = watchCpu();
    if (publisher) await answerOf(publisher, answerMsMax, { publish: messages });
    const reports = hearers.map((child) => answerOf<WakeReport>(child, answerMsMax, { report: messages }));
    const received = await Promise.all(reports);
    const tookMs = received.flatMap((report) => report.tookMs).sort((one, other) => one - other);
    const { one } = reportWith(cpu.foreignShare());
    const at99 = tookMs[Math.min(tookMs.length - 1, Math.floor(tookMs.length * 0.99))] ?? Number.NaN;
    const rounds = received.map((report) => median(report.tookMs));
    const limit = limitMs === null ? null : atMost(limitMs);
    return [
      one(`wake-up over ${name}, ${processes} processes, p50`, median(tookMs), "ms", limit, rounds),
      one(`wake-up over ${name}, ${processes} processes, p99`, at99, "ms"),
      one(`wake-up over ${name}: messages that were heard`, (100 * tookMs.length) / (messages * hearers.length), "%"),
    ];
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
}
