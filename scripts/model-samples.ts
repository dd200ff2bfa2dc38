// `npm run gallery -- samples`, after the graphs: what the sandbox's models make, as small files for the cards of the console's
// models page: pictures, the frame of a film, the peaks of a sound, a text.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";

const folder = join(import.meta.dirname, "../packages/console/src/pages/models/list/samples");
const size = { width: 480, height: 300 };
const peaksCount = 56;

export async function makeSamples(url: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const ask: Ask = async (model, input) => {
    const answer = await fetch(`${url}/v1/${model}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    if (!answer.ok) throw new Error(`${model} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const pictureOf = async (prompt: string, seed: number): Promise<Buffer> => {
    const input = { prompt, seed, width: 960, height: 600, response_format: "b64_json" };
    const answer = await read<{ images: { b64_json: string }[] }>(await ask("image-1", input));
    return Buffer.from(answer.images[0]?.b64_json ?? "", "base64");
  };
  const pictures = {
    "sandbox-image-1": await pictureOf("a lighthouse at dusk, long exposure", 7),
    "sandbox-image-1-queued": await pictureOf("hot-air balloons over misty hills", 12),
    "sandbox-video-1": await frameOf({ prompt: "a sailing boat in the golden hour", seed: 3, seconds: 1 }, ask),
  };
  for (const [name, bytes] of Object.entries(pictures)) {
    const small = await sharp(bytes).resize(size).webp({ quality: 70, effort: 6 }).toBuffer();
    writeFileSync(join(folder, `${name}.webp`), small);
  }
  const sound = Buffer.from(await (await ask("voice-1", { prompt: "a song about the sea", seed: 4 })).arrayBuffer());
  const said = await read<{ text: string }>(await ask("text-1", { prompt: "a lighthouse", seed: 5 }));
  const made = {
    texts: {
      "sandbox/text-1": said.text
        .split(/(?<=[.!?])\s/)
        .slice(0, 2)
        .join(" "),
    },
    waves: { "sandbox/voice-1": peaksOf(sound) },
  };
  writeFileSync(join(folder, "made.json"), `${JSON.stringify(made)}\n`);
}

// The sandbox is ours, and its own tests check what it answers.
const read = async <Body>(answer: Response): Promise<Body> => (await answer.json()) as Body;

type Ask = (model: string, input: object) => Promise<Response>;

// The first frame of a film, which is an animated WEBP.
async function frameOf(input: object, ask: Ask): Promise<Buffer> {
  const { status_url } = await read<{ status_url: string }>(await ask("video-1", input));
  for (;;) {
    const task = await read<{ status: string; result?: { video: { url: string } } }>(await fetch(status_url));
    if (task.result) return Buffer.from(await (await fetch(task.result.video.url)).arrayBuffer());
    if (task.status === "FAILED") throw new Error(JSON.stringify(task));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

// Of 16-bit samples behind a header of 44 bytes.
function peaksOf(wav: Buffer): readonly number[] {
  const samples = new Int16Array(wav.buffer, wav.byteOffset + 44, Math.floor((wav.length - 44) / 2));
  const step = Math.floor(samples.length / peaksCount);
  const peaks = Array.from({ length: peaksCount }, (_, at) =>
    samples.subarray(at * step, (at + 1) * step).reduce((most, each) => Math.max(most, Math.abs(each)), 0),
  );
  const highest = Math.max(...peaks, 1);
  return peaks.map((peak) => Number((peak / highest).toFixed(2)));
}
