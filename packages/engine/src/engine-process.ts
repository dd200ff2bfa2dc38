// The child process: runs one job at a time and keeps the results of earlier ones. It has no credentials, opens no socket, and
// never outlives its parent: the closed channel ends it while it waits, and a watch thread while it is stuck.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import type { ChildCall, ChildMessage, HostAnswer, HostMessage, RunMessage } from "./engine-protocol.ts";
import { executeGraph } from "./execution/execute-graph.ts";
import type { ExecutionServices, LocalFile, SavedFile } from "./execution/execution-services.ts";
import { NodeError } from "./execution/node-error.ts";
import { ResultCache } from "./execution/result-cache.ts";
import type { FileReference } from "./graph/graph.ts";
import { dieWithParent, keepCompiledCode } from "./own-code.ts";
import { isMessage } from "./supervised-child.ts";

const cacheBytesMax = 256 * 1024 ** 2;
const cache = new ResultCache(cacheBytesMax);
const calls = new Map<number, (answer: HostAnswer) => void>();
let nextCall = 0;
let current: { readonly jobId: string; isCanceled: boolean } | null = null;
let isWatched = false;

process.on("disconnect", () => process.exit(0));
// Ctrl-C reaches the whole process group; the parent decides when we end.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("message", (message) => {
  if (isMessage<HostMessage>(message)) receive(message);
});
send({ kind: "ready" });
keepCompiledCode();

function receive(message: HostMessage): void {
  if (message.kind === "run") void run(message);
  else if (message.kind === "answer") {
    calls.get(message.callId)?.(message.answer);
    calls.delete(message.callId);
  } else if (current?.jobId === message.jobId) current.isCanceled = true;
}

async function run(message: RunMessage): Promise<void> {
  watchParent();
  const jobId = message.job.id;
  const running = { jobId, isCanceled: false };
  current = running;
  const services = servicesFor(message, () => running.isCanceled);
  const result = await executeGraph(message.job, services, cache);
  current = null;
  send({ kind: "done", jobId, result });
}

function servicesFor({ job, scratch }: RunMessage, isCanceled: () => boolean): ExecutionServices {
  const jobId = job.id;
  let outputs = 0;
  let threads = 0;
  return {
    readAsset: (reference) => readAsset(jobId, reference, job.limits.inputBytes),
    async callModel(call) {
      const answer = await ask(jobId, { kind: "call_model", call });
      if (answer.kind !== "model") throw unexpected();
      return answer.answer;
    },
    async saveOutput(file) {
      outputs += 1;
      await saveOutput(jobId, `${scratch}output-${outputs}`, file);
    },
    scratch() {
      threads += 1;
      return `${scratch}work-${threads}`;
    },
    emit: (event) => send({ kind: "event", jobId, event }),
    onUnexpected: (thrown) => {
      process.stderr.write(`${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`);
    },
    isCanceled,
    now: () => performance.now(),
  };
}

async function readAsset(jobId: string, reference: FileReference, bytesMax: number): Promise<LocalFile> {
  const answer = await ask(jobId, { kind: "read_asset", reference });
  if (answer.kind !== "asset") throw unexpected();
  const { size } = await stat(answer.path);
  if (size > bytesMax) throw new NodeError(`The file has ${size} bytes; at most ${bytesMax} are allowed.`);
  return { path: answer.path, hash: answer.hash ?? (await hashOf(answer.path)) };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) hash.update(part);
  return hash.digest("hex");
}

async function saveOutput(jobId: string, path: string, { bytes, ...file }: SavedFile): Promise<void> {
  await writeFile(path, bytes, { mode: 0o600 });
  const output = { ...file, animated: file.animated ?? false, sizeBytes: bytes.byteLength, path };
  const answer = await ask(jobId, { kind: "save_output", output });
  if (answer.kind !== "saved") throw unexpected();
}

async function ask(jobId: string, call: ChildCall): Promise<HostAnswer> {
  const callId = nextCall++;
  const answer = await new Promise<HostAnswer>((resolve) => {
    calls.set(callId, resolve);
    send({ kind: "call", jobId, callId, call });
  });
  if (answer.kind === "failed") throw new NodeError(answer.message, answer.code);
  return answer;
}

function unexpected(): Error {
  return new Error("The host's answer did not match the request.");
}

function send(message: ChildMessage): void {
  process.send?.(message);
}

function watchParent(): void {
  if (isWatched) return;
  isWatched = true;
  dieWithParent(process.ppid);
}
