// `atelier run workflow.json -i node.input=value -o out/`: uploads the files it names, submits the graph, shows how far
// it is and saves what it made. Ctrl-C cancels the job on the server; a second one leaves at once.

import { randomUUID } from "node:crypto";
import { openAsBlob, readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { Command, CommandInput, CommandResult } from "@atelier/server/commands";
import { exitCodes } from "../exit-codes.ts";
import { ClientProblem } from "./client-problem.ts";
import { type Connection, connect } from "./connection.ts";
import { parseExactJson, writeJson } from "./exact-json.ts";
import { type ApiGraph, findNode, type GraphInput, inputValue, parseInput } from "./graph-inputs.ts";
import { type FollowedEvent, followJob, hasEnded, type JobView, type JobViewProgress } from "./job-events.ts";
import { progressLine, secondsText, sizeText } from "./progress-line.ts";
import { type SavedOutput, saveOutput } from "./save-outputs.ts";

interface RunWish {
  readonly file: string;
  readonly inputs: readonly GraphInput[];
  readonly folder: string;
  readonly wait: boolean;
  readonly jsonLines: boolean;
  readonly body: Readonly<Record<string, unknown>>;
  readonly connection: Connection;
}

export const runCommand: Command = {
  async run(_listed, input) {
    const wish = readWish(input);
    const graph = await readGraph(wish);
    await setInputs(wish, graph, input);
    const job = await submit(wish, graph);
    if (!wish.wait) return { data: job, text: job.id };
    const screen = new Screen(input, wish.jsonLines);
    const { ended, saved } = await watch(wish, job, screen, input);
    return resultOf(ended, saved, wish);
  },
};

function readWish(input: CommandInput): RunWish {
  const { values, positionals } = parseArgs({
    args: [...input.arguments],
    allowPositionals: true,
    options: {
      input: { type: "string", short: "i", multiple: true },
      output: { type: "string", short: "o" },
      "no-wait": { type: "boolean" },
      jsonl: { type: "boolean" },
      label: { type: "string" },
      priority: { type: "string" },
      "webhook-url": { type: "string" },
      "base-url": { type: "string" },
      key: { type: "string" },
      home: { type: "string" },
    },
  });
  const [file, ...surplus] = positionals;
  if (file === undefined || surplus.length > 0)
    throw new ClientProblem("usage", "usage", "Name one workflow file.", {
      hint: "atelier run workflow.json -o out/",
    });
  const priority = values.priority === undefined ? undefined : Number(values.priority);
  return {
    file,
    inputs: (values.input ?? []).map(parseInput),
    folder: values.output ?? ".",
    wait: values["no-wait"] !== true,
    jsonLines: values.jsonl === true,
    body: {
      ...(values.label === undefined ? {} : { metadata: values.label }),
      ...(priority === undefined ? {} : { priority }),
      ...(values["webhook-url"] === undefined ? {} : { webhook_url: values["webhook-url"] }),
    },
    connection: connect({ baseUrl: values["base-url"], key: values.key, home: values.home, env: input.env }),
  };
}

async function readGraph({ file, connection }: RunWish): Promise<ApiGraph> {
  let text: string;
  try {
    text = file === "-" ? readFileSync(0, "utf8") : readFileSync(file, "utf8");
  } catch {
    throw new ClientProblem("usage", "usage", `${file} cannot be read.`);
  }
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (error) {
    throw new ClientProblem("rejected_input", "invalid_json", `${file} is not JSON: ${String(error)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ClientProblem("rejected_input", "invalid_workflow", `${file} holds no workflow.`);
  // As the editor saves it: the server turns it into what it runs.
  if ("nodes" in value && "links" in value) {
    const converted = await connection.call("/api/v2/workflows/convert", jsonCall({ workflow: value }));
    return readWorkflow(parseExactJson(await converted.text()));
  }
  return readWorkflow("workflow" in value ? value : { workflow: value });
}

const readWorkflow = (value: unknown): ApiGraph => (value as { workflow: ApiGraph }).workflow;

const jsonCall = (value: unknown) =>
  ({ method: "POST", headers: { "content-type": "application/json" }, body: writeJson(value) }) as const;

async function setInputs(wish: RunWish, graph: ApiGraph, input: CommandInput): Promise<void> {
  for (const { nodeId, input: name, value } of wish.inputs) {
    const inputs = findNode(graph, nodeId);
    inputs[name] =
      value.kind === "text"
        ? inputValue(value.text, inputs[name])
        : await upload(wish.connection, value.path, `${nodeId}.${name}`, input);
  }
}

async function upload(connection: Connection, path: string, place: string, input: CommandInput): Promise<unknown> {
  const blob = await openAsBlob(path).catch(() => {
    throw new ClientProblem("usage", "usage", `${path} cannot be read.`);
  });
  const form = new FormData();
  form.set("content_type", mediaTypeOf(path));
  form.set("file_path", basename(path));
  form.set("file", blob, basename(path));
  const response = await connection.call("/api/v2/assets", { method: "POST", body: form });
  const asset = (await response.json()) as { id: string; hash: string; file_path?: string; size_bytes: number };
  const news = response.status === 200 ? "already stored" : "uploaded";
  input.say(`  ${place}   ${basename(path)}   ${sizeText(asset.size_bytes)}   ${news} (${asset.hash.slice(0, 15)}…)`);
  return { __type: "core/ASSET", info: { id: asset.id, hash: asset.hash, file_path: asset.file_path } };
}

const mediaTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  avif: "image/avif",
  mp4: "video/mp4",
  webm: "video/webm",
  wav: "audio/wav",
  mp3: "audio/mpeg",
  flac: "audio/flac",
  txt: "text/plain",
  json: "application/json",
};

function mediaTypeOf(path: string): string {
  return mediaTypes[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? "application/octet-stream";
}

// Under a key of its own: a submission that is sent twice, because the answer was lost, is one job.
async function submit({ connection, body }: RunWish, graph: ApiGraph): Promise<JobView> {
  const call = jsonCall({ workflow: graph, ...body });
  const headers = { ...call.headers, "idempotency-key": randomUUID() };
  for (let turn = 0; ; turn++) {
    try {
      return await connection.read<JobView>("/api/v2/jobs", { ...call, headers });
    } catch (error) {
      const mayPass = error instanceof ClientProblem && (error.kind === "slow_down" || error.kind === "unreachable");
      if (!mayPass || turn >= (error.kind === "slow_down" ? 4 : 1)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** turn));
    }
  }
}

async function watch(wish: RunWish, job: JobView, screen: Screen, input: CommandInput) {
  const impatient = new AbortController();
  let interrupts = 0;
  const interrupt = () => {
    interrupts++;
    if (interrupts > 1) {
      impatient.abort();
      input.exit(130);
      return;
    }
    screen.say("Canceling the job on the server … (Ctrl-C again leaves at once)");
    wish.connection.call(job.urls.cancel, { method: "POST" }).catch(() => undefined);
  };
  process.on("SIGINT", interrupt);
  const saves = new Map<string, Promise<SavedOutput>>();
  const save = (output: JobView["outputs"][number]) => {
    if (saves.has(output.id)) return;
    const saving = saveOutput(wish.connection, output, wish.folder, impatient.signal);
    saving.catch(() => undefined);
    saves.set(output.id, saving);
  };
  try {
    const ended = await followJob(
      wish.connection,
      job,
      (event) => {
        if (event.event === "output") save(event.data as JobView["outputs"][number]);
        screen.event(event);
      },
      impatient.signal,
    );
    for (const output of ended.outputs) save(output);
    return { ended, saved: await Promise.all(saves.values()) };
  } finally {
    process.off("SIGINT", interrupt);
    screen.close();
  }
}

class Screen {
  readonly #input: CommandInput;
  readonly #jsonLines: boolean;
  readonly #startedMs = performance.now();
  // The seconds go on while nothing else changes.
  readonly #ticking = setInterval(() => this.#last && this.#progress(this.#last), 200);
  #last: JobViewProgress | null = null;
  #shown = "";

  constructor(input: CommandInput, jsonLines: boolean) {
    this.#input = input;
    this.#jsonLines = jsonLines;
  }

  event({ event, data }: FollowedEvent): void {
    if (this.#jsonLines) {
      if (event !== "preview") this.#input.line(JSON.stringify({ type: event, ...(data as object) }));
      return;
    }
    if (event === "status") this.#status(data as { status: string; queue_position?: number | null });
    if (event === "progress") this.#progress(data as JobViewProgress);
  }

  #status({ status, queue_position: position }: { status: string; queue_position?: number | null }): void {
    if (hasEnded(status)) {
      this.#last = null;
      return;
    }
    const ahead = status === "queued" && position !== null && position !== undefined && position > 0;
    this.#draw(ahead ? `queued, ${position} ahead` : status, status);
  }

  #progress(progress: JobViewProgress): void {
    this.#last = progress;
    const seconds = (performance.now() - this.#startedMs) / 1000;
    const plain = `running ${Math.floor(progress.value * 10) * 10}%`;
    this.#draw(progressLine(progress, seconds, this.#input.isUnicode), plain);
  }

  // Where nobody watches a line is written once for each thing it says.
  #draw(line: string, plain: string): void {
    if (this.#input.json) return;
    if (this.#input.redraw(line)) return;
    if (plain === this.#shown) return;
    this.#shown = plain;
    this.#input.say(plain);
  }

  say(line: string): void {
    this.clear();
    this.#input.say(line);
  }

  clear(): void {
    this.#input.redraw("");
  }

  close(): void {
    clearInterval(this.#ticking);
    this.clear();
  }
}

function resultOf(job: JobView, saved: readonly SavedOutput[], { jsonLines }: RunWish): CommandResult {
  const outputs = saved.map(({ file, output }) => ({ file, ...output }));
  const data = { job, outputs };
  const ms = job.metrics?.["execution_ms"];
  const queued = job.metrics?.["queue_ms"];
  const times = [
    ms === null || ms === undefined ? "" : ` in ${secondsText(ms)}`,
    queued === null || queued === undefined ? "" : `   queued ${secondsText(queued)}`,
    job.outputs_reused === true ? "   partly reused" : "",
  ].join("");
  const lines = saved.map(({ file, output }) => `  ${file}   ${sizeText(output.size_bytes)}`);
  if (job.status === "succeeded") {
    const text = [`✓ succeeded${times}`, ...lines, `  job ${job.id}`].join("\n");
    return { data, text: jsonLines ? JSON.stringify({ type: "result", ...data }) : text };
  }
  const where = job.error?.node_id ? ` at node ${job.error.node_id} (${job.error.class_type ?? "?"})` : "";
  const problem = `${job.status}${where}: ${job.error?.message ?? `The job was ${job.status}.`}`;
  const text = [`✕ ${problem}`, ...lines, `  job ${job.id}`].join("\n");
  return {
    data,
    text: jsonLines ? JSON.stringify({ type: "result", ...data }) : text,
    exitCode: job.status === "canceled" ? 130 : job.status === "expired" ? exitCodes.time : exitCodes.ran_and_failed,
    problem,
  };
}
