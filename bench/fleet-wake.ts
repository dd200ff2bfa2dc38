// How soon a message from one process reaches the others: ten real processes on one bus, one of which publishes. Over NATS, if
// the machine has a NATS server, and over PostgreSQL, which batches messages published within five milliseconds.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { startEmbeddedPostgres } from "../packages/server/src/foundation/database/index.ts";
import { hasNats, testNats } from "../packages/server/test/support/test-nats-server.ts";
import { type Finding, median } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { node } from "./processes.ts";
import type { WakeAddress, WakeReport } from "./wake-process.ts";

const processes = 10;

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
      const [program, ...words] = node("bench/wake-process.ts");
      const child = spawn(program, [...words, JSON.stringify(address)], {
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      });
      children.push(child);
      await once(child, "message");
    }
    const [publisher, ...hearers] = children;
    const cpu = watchCpu();
    publisher?.send({ publish: messages });
    if (publisher) await once(publisher, "message");
    const reports = hearers.map(async (child): Promise<WakeReport> => {
      const answer = once(child, "message");
      child.send({ report: messages });
      return (await answer)[0] as WakeReport;
    });
    const received = await Promise.all(reports);
    const tookMs = received.flatMap((report) => report.tookMs).sort((one, other) => one - other);
    const foreignCpu = cpu.foreignShare();
    const at99 = tookMs[Math.min(tookMs.length - 1, Math.floor(tookMs.length * 0.99))] ?? Number.NaN;
    const limit = limitMs === null ? {} : { limit: { kind: "at most", value: limitMs } as const };
    return [
      {
        name: `wake-up over ${name}, ${processes} processes, p50`,
        value: median(tookMs),
        unit: "ms",
        ...limit,
        rounds: received.map((report) => median(report.tookMs)),
        foreignCpu,
      },
      { name: `wake-up over ${name}, ${processes} processes, p99`, value: at99, unit: "ms", foreignCpu },
      {
        name: `wake-up over ${name}: messages that were heard`,
        value: (100 * tookMs.length) / (messages * hearers.length),
        unit: "%",
        foreignCpu,
      },
    ];
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
}
