// Webhooks from the queue to the receiver and back into the log, durable, with PostgreSQL, sender and receivers on the same
// cores: over https on kept connections, on a new one each time, and to healthy receivers while nine of ten hang.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type EmbeddedPostgres,
  migrate,
  startEmbeddedPostgres,
} from "../packages/server/src/foundation/database/index.ts";
import { type Finding, median } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { node, root } from "./processes.ts";
import type { ReceiverJob, ReceiverQuestion, ReceiverTally } from "./webhook-receivers.ts";
import type { SenderJob, SenderTally } from "./webhook-sender.ts";

const healthy = 20;
const hanging = 180;

export async function benchWebhooks(rounds: number): Promise<Finding[]> {
  const home = mkdtempSync(join(tmpdir(), "atelier-bench-webhooks-"));
  const postgres = await startEmbeddedPostgres({ dataDir: join(home, "postgres") });
  const certificate = makeCertificate(home);
  try {
    await migrate({ connection: postgres.connection, directory: join(root, "packages/server/migrations") });
    const cpu = watchCpu();
    const series = { kept: [] as number[], fresh: [] as number[], p99: [] as number[], cpu: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const kept = await throughput(postgres, { behaviour: "keep", count: 16, certificate, perUrl: 400 });
      series.kept.push(kept.perSecond);
      series.cpu.push(kept.cpuMicroseconds);
      if (certificate !== null)
        series.fresh.push(
          (await throughput(postgres, { behaviour: "close", count: 16, certificate, perUrl: 80 })).perSecond,
        );
      series.p99.push(await delayWhileOthersHang(postgres));
    }
    const foreignCpu = cpu.foreignShare();
    const finding = (name: string, values: number[], unit: Finding["unit"], limit?: Finding["limit"]): Finding => ({
      name,
      value: median(values),
      unit,
      ...(limit ? { limit } : {}),
      rounds: values,
      foreignCpu,
    });
    return [
      finding("webhooks: delivered over kept https connections", series.kept, "calls/s", {
        kind: "at least",
        value: 1500,
      }),
      finding("webhooks: CPU of the sender for each", series.cpu, "µs"),
      ...(certificate === null
        ? []
        : [
            finding("webhooks: delivered over new https connections", series.fresh, "calls/s", {
              kind: "at least",
              value: 200,
            }),
          ]),
      finding("webhooks: first attempt while 180 of 200 receivers hang, p99", series.p99, "ms", {
        kind: "at most",
        value: 2000,
      }),
    ];
  } finally {
    await postgres.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

// Null without openssl: then the receivers use plain HTTP, and new connections are not measured.
function makeCertificate(home: string): ReceiverJob["certificate"] {
  const [key, cert] = [join(home, "key.pem"), join(home, "cert.pem")];
  const words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert];
  return spawnSync("openssl", [...words, ...names]).status === 0 ? { key, cert } : null;
}

async function throughput(
  postgres: EmbeddedPostgres,
  job: Omit<ReceiverJob, "kind"> & { readonly perUrl: number },
): Promise<{ perSecond: number; cpuMicroseconds: number }> {
  const receivers = start("bench/webhook-receivers.ts", {});
  const sender = start("bench/webhook-sender.ts", job.certificate ? { NODE_EXTRA_CA_CERTS: job.certificate.cert } : {});
  try {
    const { ports } = await ask<ReceiverQuestion, ReceiverTally>(receivers, { ...job, kind: "open" });
    const urls = ports.map((port) => `${job.certificate ? "https" : "http"}://127.0.0.1:${port}/hook`);
    const options = { connection: postgres.connection, urls, perUrl: job.perUrl, pauseMs: 0, waitFor: urls.length };
    const { seconds, cpuSeconds } = await ask<SenderJob, SenderTally>(sender, options);
    const count = urls.length * job.perUrl;
    return { perSecond: count / seconds, cpuMicroseconds: (cpuSeconds / count) * 1e6 };
  } finally {
    for (const child of [sender, receivers]) child.kill("SIGKILL");
  }
}

// One notice a second for each of them.
async function delayWhileOthersHang(postgres: EmbeddedPostgres): Promise<number> {
  const receivers = start("bench/webhook-receivers.ts", {});
  const sender = start("bench/webhook-sender.ts", {});
  try {
    const open = async (behaviour: ReceiverJob["behaviour"], count: number) =>
      (await ask<ReceiverQuestion, ReceiverTally>(receivers, { kind: "open", behaviour, count, certificate: null }))
        .ports;
    const ports = [...(await open("keep", healthy)), ...(await open("hang", hanging))];
    const urls = ports.map((port) => `http://127.0.0.1:${port}/hook`);
    await ask<SenderJob, SenderTally>(sender, {
      connection: postgres.connection,
      urls,
      perUrl: 20,
      pauseMs: 1000,
      waitFor: healthy,
    });
    const { delaysMs } = await ask<ReceiverQuestion, ReceiverTally>(receivers, { kind: "tally" });
    const sorted = [...delaysMs].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  } finally {
    for (const child of [sender, receivers]) child.kill("SIGKILL");
  }
}

function start(file: string, env: Readonly<Record<string, string>>): ChildProcess {
  const [program, ...words] = node(file);
  return spawn(program, words, { stdio: ["ignore", "inherit", "inherit", "ipc"], env: { ...process.env, ...env } });
}

function ask<Question, Answer>(child: ChildProcess, question: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const giveUp = setTimeout(() => reject(new Error("A benchmark process does not respond.")), 120_000);
    child.once("message", (answer: Answer) => {
      clearTimeout(giveUp);
      resolve(answer);
    });
    child.send(Object(question));
  });
}
