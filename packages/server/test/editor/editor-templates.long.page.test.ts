// The editor opens graphs of the gallery and public templates, runs them, and gets what the same graph makes by v2. Stand-ins
// answer for the partners. The templates need ffmpeg. `npm run test:long -- editor`
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { findTool } from "@atelier/engine";
import {
  profile,
  type RunnableTemplate,
  sortedTemplates,
  uploadInputs,
} from "../../../../scripts/runnable-templates.ts";
import { hasPython } from "../../../../scripts/template-package.ts";
import { skip } from "../console/scene.ts";
import { memberOf, textOf } from "../support/app-client.ts";
import { until } from "../support/server-process.ts";
import { checkout, type EditorScene, openEditorScene } from "./editor-scene.ts";
import { type EditorVisit, visitEditor } from "./editor-visit.ts";

const wheel = process.env["ATELIER_TEST_EDITOR_WHEEL"];
const why =
  wheel === undefined
    ? "ATELIER_TEST_EDITOR_WHEEL names no wheel: npm run test:long -- editor"
    : skip || (!hasPython() && "the templates are downloaded with Python's pip");
// Loaders of this profile read with it.
const noFfmpeg = findTool("ffmpeg") === null && "ffmpeg is not installed";
const gallery = join(checkout, "examples/gallery");
const publicCount = 20;

describe("graphs in the editor", { skip: why }, () => {
  let scene: EditorScene;
  let visit: EditorVisit;
  before(async () => {
    scene = await openEditorScene(String(wheel), {
      ATELIER_STAND_INS: "on",
      ATELIER_APPLICATION_PROFILE: profile,
      ATELIER_BOOTSTRAP_CREDITS: "1000000",
    });
    visit = await visitEditor(scene.context, scene.server.baseUrl);
    await visit.page.goto(`${scene.server.baseUrl}/editor`);
    await visit.started();
    await visit.page.keyboard.press("Escape");
  });
  after(() => scene.close());

  // What the editor would send for the open graph.
  const prompt = () => visit.page.evaluate<object>("window.app.graphToPrompt().then(({ output }) => output)");
  const jobs = async () => {
    const data = memberOf((await scene.server.call({ path: "/api/v2/jobs?limit=2" })).json(), "data");
    return Array.isArray(data) ? data.map((job: unknown) => textOf(job, "id")) : [];
  };

  // The contents of what a job made, by node. What a file says about its origin is left out: only the editor sends a drawing.
  async function contentsOf(id: string): Promise<string[]> {
    const job = await until(`${id} has ended`, async () => {
      const read = (await scene.server.call({ path: `/api/v2/jobs/${id}` })).json();
      return ["queued", "running"].includes(textOf(read, "status")) ? null : read;
    });
    assert.equal(textOf(job, "status"), "succeeded", JSON.stringify(memberOf(job, "error")));
    const outputs = memberOf(job, "outputs");
    assert.ok(Array.isArray(outputs) && outputs.length > 0);
    const contents = await Promise.all(
      outputs.map(async (output: unknown) => {
        const address = new URL(textOf(output, "url"), scene.server.baseUrl);
        const headers = { "X-API-Key": scene.server.key };
        const bytes = Buffer.from(await (await fetch(address, { headers })).arrayBuffer());
        return `${textOf(output, "node_id")} ${textOf(output, "type")} ${contentHash(textOf(output, "type"), bytes)}`;
      }),
    );
    return contents.sort();
  }

  async function runBoth(): Promise<void> {
    const workflow = await prompt();
    const [last] = await jobs();
    // Some templates open in the editor's app mode, whose button has another name.
    await visit.page.evaluate(`window.app.extensionManager.command.execute("Comfy.QueuePrompt")`);
    const byEditor = await until("the editor's job", async () => {
      const [newest] = await jobs();
      return newest === last ? null : newest;
    });
    const made = await scene.server.call({ method: "POST", path: "/api/v2/jobs", body: { workflow } });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(await contentsOf(byEditor ?? ""), await contentsOf(textOf(made.json(), "id")));
  }

  test("ten graphs of the gallery are opened, run, and make what v2 makes", async () => {
    const names = readdirSync(gallery).filter((name) => name.endsWith(".json"));
    assert.ok(names.length >= 10);
    for (const name of names.slice(0, 10)) {
      const graph = readFileSync(join(gallery, name), "utf8");
      await visit.page.evaluate(`window.app.loadApiJson(${graph}, ${JSON.stringify(name)})`);
      await runBoth();
    }
  });

  test("twenty public templates are opened, run, and make what v2 makes", { skip: noFfmpeg }, async (t) => {
    for (const { name, workflow, graph } of spread(sortedTemplates().runnable)) {
      await uploadInputs(graph, scene.server);
      await visit.page.evaluate(`window.app.loadGraphData(${JSON.stringify(workflow)}, true, true, null)`);
      await runBoth();
      t.diagnostic(name);
    }
    await visit.picture("public-template");
  });

  test("nothing that they did made the editor complain", () => assert.deepEqual(visit.complaints, []));
});

// Some of every part of the list.
function spread(all: readonly RunnableTemplate[]): readonly RunnableTemplate[] {
  const sorted = [...all].sort((one, other) => one.name.localeCompare(other.name));
  assert.ok(sorted.length >= publicCount);
  return Array.from({ length: publicCount }, (_, at) => sorted[Math.floor((at * sorted.length) / publicCount)]).filter(
    (each) => each !== undefined,
  );
}

// Pictures, films and sounds by what they show; other files by their bytes.
function contentHash(type: string, bytes: Buffer): string {
  const isShown = ["image", "video", "audio"].includes(type);
  if (isShown && !isWebp(bytes) && !isPng(bytes)) return streamHash(bytes);
  return createHash("sha256").update(withoutGraph(bytes)).digest("hex");
}

function withoutGraph(bytes: Buffer): Buffer {
  if (isWebp(bytes)) return withoutOrigin(bytes);
  if (isPng(bytes)) return withoutTexts(bytes);
  const text = bytes.toString("utf8");
  return /<svg[\s>]/.test(text) ? Buffer.from(text.replace(/<metadata>.*?<\/metadata>/s, "")) : bytes;
}

const isPng = (bytes: Buffer): boolean => bytes.toString("latin1", 1, 4) === "PNG";

// The signature and every chunk but those for texts, which hold the graph.
function withoutTexts(bytes: Buffer): Buffer {
  const kept = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (!/^(?:tEXt|iTXt|zTXt|eXIf|comf)$/.test(bytes.toString("latin1", at + 4, at + 8)))
      kept.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

// From a file: where a film begins is at its end.
function streamHash(bytes: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "atelier-content-"));
  try {
    const file = join(folder, "content");
    writeFileSync(file, bytes);
    const words = ["-nostdin", "-loglevel", "error", "-i", file, "-f", "streamhash", "-hash", "sha256", "pipe:1"];
    return execFileSync("ffmpeg", words, { encoding: "utf8" }).trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// ffmpeg reads no moving WebP pictures.
const isWebp = (bytes: Buffer): boolean =>
  bytes.toString("latin1", 0, 4) + bytes.toString("latin1", 8, 12) === "RIFFWEBP";

function withoutOrigin(bytes: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (!/^(?:EXIF|XMP |VP8X)$/.test(bytes.toString("latin1", at, at + 4))) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}
