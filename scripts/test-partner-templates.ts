// Counts the public templates whose classes are all known, and runs each of them whole on a server of its own, against the
// sandbox's stand-ins of partners. It checks that the outputs come and that the charge lies within the estimate.
//
//   npm run test:long -- partners [--version 0.11.97] [--count] [--least 150]
//
// `--count` only counts. `--least`: how many must run to the end; 150 if absent. Without Python it is skipped, with a message.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { crc32, deflateSync } from "node:zlib";
import { classSet, convertUiGraph, editorClassesOf, findTool, type Graph, validateGraph } from "@atelier/engine";
import { modelsOfClass } from "../packages/server/src/capabilities/graphs/index.ts";
import { readNodes } from "../packages/server/src/capabilities/partner-nodes/index.ts";
import { hasPython, publicTemplates } from "./template-package.ts";

const { values: options } = parseArgs({
  options: {
    version: { type: "string" },
    count: { type: "boolean", default: false },
    least: { type: "string", default: "150" },
  },
});
if (!hasPython()) {
  console.log("Skipped: downloading the templates needs Python with pip, which is not installed.");
  process.exit(0);
}

const profile = "0.30";
const classes = classSet(await readNodes([]));
const described = classes.of(profile);

interface Template {
  readonly name: string;
  readonly workflow: unknown;
  readonly graph: Graph;
}

// The templates by how far they come without being run.
function sorted() {
  const all = publicTemplates(options.version);
  const editor = editorClassesOf(described);
  const [known, refused, uncallable, runnable]: [string[], string[], string[], Template[]] = [[], [], [], []];
  for (const [name, workflow] of all) {
    const made = convertUiGraph(workflow, editor, { random: () => 0 });
    if (!made.ok) continue;
    known.push(name);
    const graph: Graph = JSON.parse(JSON.stringify(made.graph));
    const first = Object.values(validateGraph(graph, { profile, classes: described }).nodeErrors)[0];
    const missing = Object.values(graph).filter(
      ({ class_type, inputs }) =>
        classes.declaration(class_type) && modelsOfClass(classes, class_type, inputs).length === 0,
    );
    if (first) refused.push(`${name}: ${first.class_type}: ${first.errors[0]?.details}`);
    else if (missing.length > 0)
      uncallable.push(
        `${name}: ${missing.map(({ class_type, inputs }) => `${class_type} ${inputs["model"] ?? ""}`).join(", ")}`,
      );
    else runnable.push({ name, workflow, graph });
  }
  return { all, known, refused, uncallable, runnable };
}

const { all, known, refused, uncallable, runnable } = sorted();
console.log(`templates                  ${all.size}`);
console.log(`with all classes known     ${known.length}`);
console.log(`  of them refused          ${refused.length}`);
for (const line of refused) console.log(`    ${line.slice(0, 160)}`);
console.log(`  without a model          ${uncallable.length}`);
for (const line of uncallable) console.log(`    ${line.slice(0, 160)}`);
console.log(`  to be run                ${runnable.length}`);
if (options.count) process.exit(0);

function somePng(): Buffer {
  const [width, height] = [96, 64];
  const rows = Buffer.alloc((width * 3 + 1) * height, 90);
  for (let row = 0; row < height; row++) rows[row * (width * 3 + 1)] = 0;
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

// What a loader reads, by its class. Without ffmpeg there is no film and no sound.
function someFile(classType: string): { readonly bytes: Buffer; readonly type: string } | null {
  if (!/Video|Audio/.test(classType)) return { bytes: somePng(), type: "image/png" };
  const tool = findTool("ffmpeg");
  if (tool === null) return null;
  const isFilm = classType.includes("Video");
  const words = isFilm
    ? "-f lavfi -i testsrc=size=64x64:rate=10:duration=1 -pix_fmt yuv420p -movflags frag_keyframe+empty_moov -f mp4 pipe:1"
    : "-f lavfi -i sine=duration=1 -f wav pipe:1";
  const made = spawnSync(tool, ["-nostdin", "-loglevel", "error", ...words.split(" ")], { maxBuffer: 2 ** 26 });
  return { bytes: made.stdout, type: isFilm ? "video/mp4" : "audio/wav" };
}

const home = mkdtempSync(join(tmpdir(), "atelier-partner-templates-"));
const root = join(import.meta.dirname, "..");
const server = spawn(join(root, "atelier"), ["serve"], {
  stdio: ["ignore", "pipe", "ignore"],
  env: {
    PATH: process.env["PATH"] ?? "",
    ATELIER_HOME: home,
    ATELIER_PORT: "0",
    ATELIER_CONTENT_PORT: "0",
    ATELIER_STAND_INS: "on",
    ATELIER_APPLICATION_PROFILE: profile,
    ATELIER_BOOTSTRAP_CREDITS: "1000000",
  },
});

async function address(): Promise<string> {
  let said = "";
  for await (const part of server.stdout) {
    said += String(part);
    const [, found] = /ready (http:\/\/\S+)/.exec(said) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error(`The server did not start: ${said.slice(-500)}`);
}

async function call(path: string, init: RequestInit = {}) {
  const answer = await fetch(`${base}${path}`, { ...init, headers: { "X-API-Key": key, ...init.headers } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

const post = (path: string, body: unknown) =>
  call(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

async function upload({ graph }: Template): Promise<void> {
  for (const { class_type: classType, inputs } of Object.values(graph)) {
    for (const input of described.get(classType)?.inputs ?? []) {
      const name = inputs[input.name];
      if (input.type !== "COMBO" || input.options !== null || typeof name !== "string") continue;
      const file = someFile(classType);
      if (file === null) throw new Error("It needs a film or a sound, and ffmpeg is not installed.");
      const form = new FormData();
      form.set("content_type", file.type);
      form.set("file_path", name);
      form.set("file", new Blob([new Uint8Array(file.bytes)], { type: file.type }), name.split("/").at(-1));
      await call("/api/v2/assets", { method: "POST", body: form });
    }
  }
}

async function run(template: Template): Promise<string> {
  await upload(template);
  const { credits } = await post("/account/estimates", { workflow: template.workflow });
  const { id } = await post("/api/v2/jobs", { workflow: template.workflow });
  for (let turn = 0; turn < 600; turn++) {
    const job = await call(`/api/v2/jobs/${id}`);
    if (job.status === "failed") throw new Error(JSON.stringify(job.error));
    if (job.status === "succeeded") {
      const charged = Number((await call(`/account/jobs/${id}/charges`)).credits);
      const isWithin = charged <= Number(credits.highest);
      if (!isWithin) throw new Error(`It was charged ${charged}, estimated ${credits.lowest} to ${credits.highest}.`);
      if (job.outputs.length === 0) throw new Error("It has no outputs.");
      const kinds = [...new Set(job.outputs.map(({ type }: { type: string }) => type))].sort();
      return `${kinds.join(", ")}; ${charged} of ${credits.lowest} to ${credits.highest} credits`;
    }
    await sleep(500);
  }
  throw new Error("It did not end.");
}

const base = await address();
const key = /service-\S+/.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[0] ?? "";
let ended = 0;
for (const template of runnable) {
  const outcome = await run(template).then(
    (words) => {
      ended += 1;
      return words;
    },
    (error: unknown) => `FAILED ${error instanceof Error ? error.message : error}`,
  );
  console.log(`${template.name}: ${outcome}`);
}
server.kill("SIGTERM");
await once(server, "exit");
rmSync(home, { recursive: true, force: true });
console.log(`run to the end             ${ended} of ${runnable.length}`);
process.exit(ended >= Number(options.least) ? 0 : 1);
