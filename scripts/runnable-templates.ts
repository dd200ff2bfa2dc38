// The public templates by how far they come without being run, and the files that their loaders read.
import { spawnSync } from "node:child_process";
import { crc32, deflateSync } from "node:zlib";
import { classSet, convertUiGraph, editorClassesOf, findTool, type Graph, validateGraph } from "@atelier/engine";
import { modelsOfClass } from "../packages/server/src/capabilities/graphs/index.ts";
import { readNodes } from "../packages/server/src/capabilities/partner-nodes/index.ts";
import { publicTemplates } from "./template-package.ts";

export const profile = "0.30";
const classes = classSet(await readNodes([]));
export const described = classes.of(profile);

export interface RunnableTemplate {
  readonly name: string;
  readonly workflow: unknown;
  readonly graph: Graph;
}

export function sortedTemplates(version?: string) {
  const all = publicTemplates(version);
  const editor = editorClassesOf(described);
  const [known, refused, uncallable, runnable]: [string[], string[], string[], RunnableTemplate[]] = [[], [], [], []];
  const missed: string[][] = [];
  for (const [name, workflow] of all) {
    const made = convertUiGraph(workflow, editor, { random: () => 0 });
    if (!made.ok) {
      missed.push([...made.unknownClasses]);
      continue;
    }
    known.push(name);
    const graph: Graph = JSON.parse(JSON.stringify(made.graph));
    const first = Object.values(validateGraph(graph, { profile, classes: described }).nodeErrors)[0];
    const missing = Object.values(graph).filter(
      ({ class_type, inputs }) =>
        (classes.declaration(class_type)?.calls.length ?? 0) > 0 &&
        modelsOfClass(classes, class_type, inputs).length === 0,
    );
    if (first) refused.push(`${name}: ${first.class_type}: ${first.errors[0]?.details}`);
    else if (missing.length > 0)
      uncallable.push(
        `${name}: ${missing.map(({ class_type, inputs }) => `${class_type} ${inputs["model"] ?? ""}`).join(", ")}`,
      );
    else runnable.push({ name, workflow, graph });
  }
  return { all, known, refused, uncallable, runnable, missed };
}

export interface Server {
  readonly baseUrl: string;
  readonly key: string;
}

// Uploads a file for every loader of the graph, under the name that the graph gives.
export async function uploadInputs(graph: Graph, { baseUrl, key }: Server): Promise<void> {
  for (const { class_type: classType, inputs } of Object.values(graph)) {
    for (const input of described.get(classType)?.inputs ?? []) {
      const name = inputs[input.name];
      if (input.type !== "COMBO" || input.options !== null || typeof name !== "string") continue;
      const file = someFile(classType);
      if (file === null) throw new Error("It needs a video or a sound, and ffmpeg is not installed.");
      const form = new FormData();
      form.set("content_type", file.type);
      form.set("file_path", name);
      form.set("file", new Blob([new Uint8Array(file.bytes)], { type: file.type }), name.split("/").at(-1));
      const headers = { "X-API-Key": key };
      const send = () => fetch(`${baseUrl}/api/v2/assets`, { method: "POST", headers, body: form });
      // A connection that was kept may have been closed meanwhile.
      const answer = await send().catch(send);
      if (!answer.ok) throw new Error(`${answer.status} ${(await answer.text()).slice(0, 300)}`);
    }
  }
}

// What a loader reads, by its class. Without ffmpeg there is no video and no sound.
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
