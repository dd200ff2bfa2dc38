// Counts the public templates whose classes are all known, and runs each of them whole on a server of its own, against the
// sandbox's stand-ins of partners. It checks that every output node made what its class promises, in kind and number, and that the
// charge lies within the estimate.
//
//   npm run test:long -- partners [--version 0.11.97] [--count] [--missing] [--least 150] [--works 20] [word …]
//
// `--works`: so many of those that ran also become works, which are called; those with an app mode first.
// `--count` only counts. `--missing` also lists the classes that are missing in templates that need no weights, those first whose
// lack blocks most. `--least`: how many must run to the end; 150 if absent. Words: only templates whose names contain one.
// Without Python it is skipped, with a message.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startServerProcess } from "../packages/server/test/support/server-process.ts";
import { described, profile, type RunnableTemplate, sortedTemplates, uploadInputs } from "./runnable-templates.ts";
import { hasPython } from "./template-package.ts";
import { becomeWork } from "./template-works.ts";

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    version: { type: "string" },
    count: { type: "boolean", default: false },
    missing: { type: "boolean", default: false },
    least: { type: "string", default: "150" },
    works: { type: "string", default: "0" },
  },
});
if (!hasPython()) {
  console.log("Skipped: downloading the templates needs Python with pip, which is not installed.");
  process.exit(0);
}

const { all, known, refused, uncallable, runnable: every, missed } = sortedTemplates(options.version);
const runnable = every.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
console.log(`templates                  ${all.size}`);
console.log(`with all classes known     ${known.length}`);
console.log(`  of them refused          ${refused.length}`);
for (const line of refused) console.log(`    ${line.slice(0, 160)}`);
console.log(`  without a model          ${uncallable.length}`);
for (const line of uncallable) console.log(`    ${line.slice(0, 160)}`);
console.log(`  to be run                ${runnable.length}`);
if (options.missing) listMissing(missed);
if (options.count) process.exit(0);

// Classes that load, sample or decode: a template with one of them needs weights.
function listMissing(lists: readonly (readonly string[])[]): void {
  const weights =
    /Loader|Sampler|VAE|CLIP|ControlNet|Encoder|ModelPatch|Upscale.*Model|Scheduler|Sigmas|Guider|TextGenerate|^Load\w+Model$/;
  const light = lists.filter((names) => names.length > 0 && !names.some((name) => weights.test(name)));
  const byClass = new Map<string, { all: number; alone: number }>();
  for (const names of light)
    for (const name of names) {
      const { all: before, alone } = byClass.get(name) ?? { all: 0, alone: 0 };
      byClass.set(name, { all: before + 1, alone: alone + (names.length === 1 ? 1 : 0) });
    }
  console.log(`without weights, blocked   ${light.length}`);
  const ranked = [...byClass].sort(([, one], [, other]) => other.alone - one.alone || other.all - one.all);
  for (const [name, { all: count, alone }] of ranked) console.log(`    ${name}: alone ${alone}, in all ${count}`);
}

const home = mkdtempSync(join(tmpdir(), "atelier-partner-templates-"));
const server = await startServerProcess({
  home,
  isAsShipped: true,
  isFirstStart: true,
  env: {
    ATELIER_CONTENT_PORT: "0",
    ATELIER_SANDBOX: "on",
    ATELIER_STAND_INS: "on",
    ATELIER_APPLICATION_PROFILE: profile,
    ATELIER_BOOTSTRAP_CREDITS: "1000000",
  },
});
const base = server.baseUrl;
const key = /service-\S+/.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[0] ?? "";

async function call(path: string, init: RequestInit = {}) {
  const answer = await fetch(`${base}${path}`, { ...init, headers: { "X-API-Key": key, ...init.headers } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

const post = (path: string, body: unknown) =>
  call(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

// What each output node promises, by class: the kind of its files, and how many. A batch or a list makes several.
const promises: Readonly<Record<string, { readonly kind: string; readonly count: "one" | "some" }>> = {
  SaveImage: { kind: "image", count: "some" },
  SaveImageAdvanced: { kind: "image", count: "some" },
  PreviewImage: { kind: "image", count: "some" },
  ImageCompare: { kind: "image", count: "some" },
  MaskPreview: { kind: "image", count: "some" },
  SaveAnimatedPNG: { kind: "image", count: "one" },
  SaveAnimatedWEBP: { kind: "image", count: "one" },
  SaveWEBM: { kind: "video", count: "one" },
  SaveVideo: { kind: "video", count: "one" },
  SaveAudio: { kind: "audio", count: "one" },
  SaveAudioMP3: { kind: "audio", count: "one" },
  SaveAudioOpus: { kind: "audio", count: "one" },
  SaveAudioAdvanced: { kind: "audio", count: "one" },
  PreviewAudio: { kind: "audio", count: "one" },
  SaveText: { kind: "text", count: "one" },
  PreviewAny: { kind: "text", count: "one" },
  // A vector picture may contain scripts, so the server does not treat it as a picture.
  SaveSVGNode: { kind: "file", count: "some" },
  SaveGLB: { kind: "file", count: "one" },
  Save3DAdvanced: { kind: "file", count: "one" },
  Preview3D: { kind: "file", count: "one" },
};

interface Made {
  readonly node_id: string;
  readonly type: string;
}

// Empty if every output node made what it promises and nothing came from elsewhere.
function broken({ graph }: RunnableTemplate, outputs: readonly Made[]): string[] {
  const problems: string[] = [];
  const hasLists = Object.values(graph).some(({ class_type }) =>
    described.get(class_type)?.outputs.some(({ isList }) => isList),
  );
  const sinks = Object.entries(graph).filter(([, { class_type }]) => described.get(class_type)?.isOutputNode);
  for (const [id, { class_type }] of sinks) {
    const promise = promises[class_type];
    const own = outputs.filter(({ node_id }) => node_id === id).map(({ type }) => type);
    if (promise === undefined) problems.push(`${class_type} has no promise in this script`);
    else if (own.length === 0 || own.some((type) => type !== promise.kind))
      problems.push(`${id} ${class_type} promises ${promise.kind} and made [${own}]`);
    else if (promise.count === "one" && own.length !== 1 && !hasLists)
      problems.push(`${id} ${class_type} promises one file and made ${own.length}`);
  }
  const ids = new Set(sinks.map(([id]) => id));
  const foreign = outputs.filter(({ node_id }) => !ids.has(node_id));
  return foreign.length === 0 ? problems : [...problems, `${foreign.length} outputs of nodes that promise none`];
}

// What was called already comes from the result cache and costs nothing: a node with all that leads to it.
const called = new Set<string>();
function wasCalled({ graph }: RunnableTemplate): boolean {
  const written = (id: string): string => {
    const { class_type, inputs } = graph[id] ?? { class_type: "", inputs: {} };
    const values = Object.entries(inputs).map(([name, value]) =>
      Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && Object.hasOwn(graph, value[0])
        ? `${name}<${value[1]}${written(value[0])}`
        : `${name}=${JSON.stringify(value)}`,
    );
    return `${class_type}(${values.join(",")})`;
  };
  const own = Object.keys(graph).map(written);
  const isKnown = own.some((each) => called.has(each));
  for (const each of own) called.add(each);
  return isKnown;
}

async function run(template: RunnableTemplate): Promise<string> {
  await uploadInputs(template.graph, { baseUrl: base, key });
  const { credits } = await post("/account/estimates", { workflow: template.workflow });
  const { id } = await post("/api/v2/jobs", { workflow: template.workflow });
  for (let turn = 0; turn < 600; turn++) {
    const job = await call(`/api/v2/jobs/${id}`);
    if (job.status === "failed") throw new Error(JSON.stringify(job.error));
    if (job.status === "succeeded") {
      const charged = Number((await call(`/account/jobs/${id}/charges`)).credits);
      const lowest = wasCalled(template) ? 0 : Number(credits.lowest);
      const isWithin = charged >= lowest && charged <= Number(credits.highest);
      if (!isWithin) throw new Error(`It was charged ${charged}, estimated ${credits.lowest} to ${credits.highest}.`);
      const problems = broken(template, job.outputs);
      if (problems.length > 0) throw new Error(problems.join("; "));
      const kinds = [...new Set(job.outputs.map(({ type }: Made) => type))].sort();
      return `${job.outputs.length} ${kinds.join(", ")}; ${charged} of ${credits.lowest} to ${credits.highest} credits`;
    }
    await sleep(500);
  }
  throw new Error("It did not end.");
}

let ended = 0;
const whole: RunnableTemplate[] = [];
for (const template of runnable) {
  const outcome = await run(template).then(
    (words) => {
      ended += 1;
      whole.push(template);
      return words;
    },
    (error: unknown) => `FAILED ${error instanceof Error ? error.message : error}`,
  );
  console.log(`${template.name}: ${outcome}`);
}
const wanted = Math.min(Number(options.works), whole.length);
const published = wanted === 0 ? 0 : await publishSome(wanted);
await server.kill("SIGTERM");
rmSync(home, { recursive: true, force: true });
console.log(`run to the end             ${ended} of ${runnable.length}`);
if (wanted > 0) console.log(`became works and were called ${published} of ${wanted}`);
process.exit(ended >= Math.min(runnable.length, Number(options.least)) && published === wanted ? 0 : 1);

async function publishSome(count: number): Promise<number> {
  const hasAppMode = ({ workflow }: RunnableTemplate) => JSON.stringify(workflow).includes('"linearData"');
  const some = [...whole.filter(hasAppMode), ...whole.filter((each) => !hasAppMode(each))].slice(0, count);
  let made = 0;
  for (const template of some) {
    const outcome = await becomeWork(template, (method, path, body) =>
      call(path, {
        method,
        ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
      }),
    ).then(
      ({ source, inputs, files }) => {
        made += 1;
        return `form by ${source} with ${inputs} inputs, ${files} files`;
      },
      (error: unknown) => `FAILED ${error instanceof Error ? error.message : error}`,
    );
    console.log(`${template.name} as a work: ${outcome}`);
  }
  return made;
}
