// `npm run gallery`: runs every graph of examples/gallery and puts the result next to it. The graphs run like a job, in the
// engine's child processes; the models are the sandbox's. Pictures that are too large for a page of a dozen are shown with 256
// colours; the graph itself makes them with all. Each also gets a thumbnail for the console.
//   npm run gallery                    all
//   npm run gallery -- duotone         only those whose name holds a word
//   npm run gallery -- samples         the samples of the console's models page
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type EngineHost, type EngineOutput, openEnginePool } from "@atelier/engine";
import { startSandbox } from "@atelier/sandbox";
import sharp from "sharp";
import { makeSamples } from "./model-samples.ts";

const folder = join(import.meta.dirname, "../examples/gallery");
const pictures = join(folder, "pictures");
// Small ones, for the wall of templates on the console's first page.
const thumbnails = join(folder, "thumbnails");
const thumbnailSize = { width: 480, height: 360 };
const pictureBytesMax = 250_000;
// A PNG's signature, before its first chunk.
const signatureBytes = 8;
const galleryBytesMax = 3 * 1024 ** 2;
const words = process.argv.slice(2);

const names = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.slice(0, -".json".length))
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)));

mkdirSync(pictures, { recursive: true });
mkdirSync(thumbnails, { recursive: true });
const sandbox = await startSandbox({ pace: { queueSeconds: 0, imageSeconds: 0 } });
const pool = openEnginePool({ size: 2 });
try {
  await Promise.all(names.map(run));
  if (words.includes("samples")) await makeSamples(sandbox.url);
} finally {
  await Promise.all([pool.close(), sandbox.close()]);
}
const total = readdirSync(pictures).reduce((sum, file) => sum + readFileSync(join(pictures, file)).length, 0);
process.stdout.write(`${names.length} graphs; all pictures: ${Math.round(total / 1024)} KB\n`);
if (total > galleryBytesMax) throw new Error("The gallery is larger than 3 MB.");

async function run(name: string): Promise<void> {
  const graph = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  const result = await pool.run({ id: name, graph }, hostFor(name));
  if (result.status !== "succeeded") throw new Error(`${name}: ${JSON.stringify(result)}`);
  process.stdout.write(`${name}: ${result.metrics.nodesRun} nodes, ${result.metrics.executionMs} ms\n`);
}

function hostFor(name: string): EngineHost {
  return {
    readAsset: () => Promise.reject(new Error("A graph of the gallery needs no files.")),
    async callModel({ model, input }) {
      const answer = await fetch(`${sandbox.url}/v1/${model.slice("sandbox/".length)}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: Buffer.from(input),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (!answer.ok) throw new Error(`${model} answered ${answer.status}: ${bytes.toString()}`);
      return { contentType: answer.headers.get("content-type") ?? "", bytes };
    },
    saveOutput: (output) => keep(name, output),
    onEvent: () => {},
  };
}

async function keep(name: string, output: EngineOutput): Promise<void> {
  const bytes = await readFile(output.path);
  if (output.kind === "text") {
    process.stdout.write(`${name}: ${bytes.toString()}\n`);
    return;
  }
  const isStill = !output.animated;
  const shown = isStill && bytes.length > pictureBytesMax ? await withFewColours(bytes) : bytes;
  writeFileSync(join(pictures, `${name}.${output.contentType === "image/webp" ? "webp" : "png"}`), shown);
  writeFileSync(join(thumbnails, `${name}.webp`), await thumbnailOf(name, bytes));
}

// Of an animation, its first frame. With its graph, where an editor's own WEBP has it.
function thumbnailOf(name: string, picture: Buffer): Promise<Buffer> {
  const graph = JSON.stringify(JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")));
  return sharp(picture)
    .resize({ ...thumbnailSize, fit: "cover" })
    .webp({ quality: 68, effort: 6 })
    .withExif({ IFD0: { Model: `prompt:${graph}` } })
    .toBuffer();
}

// With fewer colours, but still with its graph: `atelier run` accepts the picture itself.
async function withFewColours(png: Buffer): Promise<Buffer> {
  const options = { palette: true, colours: 256, dither: 0.6, effort: 10, compressionLevel: 9 };
  const [header, ...rest] = chunksOf(await sharp(png).png(options).toBuffer());
  const texts = chunksOf(png).filter(({ type }) => type === "tEXt" || type === "iTXt" || type === "zTXt");
  if (header === undefined || texts.length === 0) throw new Error("A picture of the engine carries its graph.");
  return Buffer.concat([
    png.subarray(0, signatureBytes),
    header.bytes,
    ...[...texts, ...rest].map(({ bytes }) => bytes),
  ]);
}

function chunksOf(png: Buffer): { readonly type: string; readonly bytes: Buffer }[] {
  const chunks = [];
  for (let at = signatureBytes; at + 12 <= png.length; ) {
    const end = at + 12 + png.readUInt32BE(at);
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), bytes: png.subarray(at, end) });
    at = end;
  }
  return chunks;
}
