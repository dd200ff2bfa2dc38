// Webhooks from the queue to the receiver and back into the log, durable, with PostgreSQL, sender and receivers on the same
// cores: over https on kept connections, on a new one each time, and to healthy receivers while nine of ten hang.
import { type ChildProcess, spawnSync } from "node:child_process";
import { join } from "node:path";
import type { EmbeddedPostgres } from "../packages/server/src/foundation/database/index.ts";
import { answerOf, spawnChild } from "./children.ts";
import { migrateWhole, postgresIn } from "./database.ts";
import { atLeast, atMost, type Finding, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { node, tempFolder } from "./processes.ts";
import type { ReceiverJob, ReceiverQuestion, ReceiverTally } from "./webhook-receivers.ts";
import type { SenderJob, SenderTally } from "./webhook-sender.ts";

const healthy = 20;
const hanging = 180;

export async function benchWebhooks(rounds: number): Promise<Finding[]> {
  await using ends = new AsyncDisposableStack();
  const home = ends.use(tempFolder("webhooks")).path;
  const postgres = await postgresIn(home, ends);
  const certificate = makeCertificate(home);
  await migrateWhole(postgres.connection);
  const cpu = watchCpu();
  const series = { kept: [] as number[], fresh: [] as number[], p99: [] as number[], cpu: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const kept = await throughput(postgres, { behaviour: "keep", count: 16, certificate, perUrl: 400 });
    series.kept.push(kept.perSecond);
    series.cpu.push(kept.cpuMicroseconds);
    if (certificate !== null) {
      const fresh = await throughput(postgres, { behaviour: "close", count: 16, certificate, perUrl: 80 });
      series.fresh.push(fresh.perSecond);
    }
    series.p99.push(await delayWhileOthersHang(postgres));
  }
  const { medianOf } = reportWith(cpu.foreignShare());
  const fresh = medianOf("webhooks: delivered over new https connections", series.fresh, "calls/s", atLeast(200));
  return [
    medianOf("webhooks: delivered over kept https connections", series.kept, "calls/s", atLeast(1500)),
    medianOf("webhooks: CPU of the sender for each", series.cpu, "µs"),
    ...(certificate === null ? [] : [fresh]),
    medianOf("webhooks: first attempt while 180 of 200 receivers hang, p99", series.p99, "ms", atMost(2000)),
  ];
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
  const receivers = spawnChild(node("bench/webhook-receivers.ts"));
  const sender = spawnChild(
    node("bench/webhook-sender.ts"),
    job.certificate ? { NODE_EXTRA_CA_CERTS: job.certificate.cert } : {},
  );
  try {
    const { ports } = await ask(receivers, { ...job, kind: "open" });
    const urls = ports.map((port) => `${job.certificate ? "https" : "http"}://127.0.0.1:${port}/hook`);
    const options = { connection: postgres.connection, urls, perUrl: job.perUrl, pauseMs: 0, waitFor: urls.length };
    const { seconds, cpuSeconds } = await send(sender, options);
    const count = urls.length * job.perUrl;
    return { perSecond: count / seconds, cpuMicroseconds: (cpuSeconds / count) * 1e6 };
  } finally {
    for (const child of [sender, receivers]) child.kill("SIGKILL");
  }
}

// One notice a second for each of them.
async function delayWhileOthersHang(postgres: EmbeddedPostgres): Promise<number> {
  const receivers = spawnChild(node("bench/webhook-receivers.ts"));
  const sender = spawnChild(node("bench/webhook-sender.ts"));
  try {
    const open = async (behaviour: ReceiverJob["behaviour"], count: number) =>
      (await ask(receivers, { kind: "open", behaviour, count, certificate: null })).ports;
    const ports = [...(await open("keep", healthy)), ...(await open("hang", hanging))];
    const urls = ports.map((port) => `http://127.0.0.1:${port}/hook`);
    await send(sender, {
      connection: postgres.connection,
      urls,
      perUrl: 20,
      pauseMs: 1000,
      waitFor: healthy,
    });
    const { delaysMs } = await ask(receivers, { kind: "tally" });
    const sorted = [...delaysMs].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  } finally {
    for (const child of [sender, receivers]) child.kill("SIGKILL");
  }
}

const ask = (receivers: ChildProcess, question: ReceiverQuestion) =>
  answerOf<ReceiverTally>(receivers, 120_000, question);
const send = (sender: ChildProcess, job: SenderJob) => answerOf<SenderTally>(sender, 120_000, job);
