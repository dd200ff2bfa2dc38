// Finds the graph inside a picture, sound or video: the application writes into each file the graph that made it. We read only
// the parts that can hold text, so large files are fine. A broken or hostile file simply has no graph.
import { parseJson } from "../exact-json.ts";
import { type ByteSource, FoundTexts, sourceOf, textBytesMax, utf8, viewOf, wordAt } from "./byte-source.ts";
import { mp4Into, webmInto } from "./film-texts.ts";
import { jpegInto, pngInto, webpInto } from "./picture-texts.ts";
import { flacInto, id3Into, oggInto } from "./sound-texts.ts";

/** What a file carries. Integers beyond 2⁵³ are bigints. */
export interface GraphInFile {
  /** The graph as it ran, in API format. */
  readonly prompt?: object;
  /** The graph as the editor had it. */
  readonly workflow?: object;
}

export async function findGraph(file: Uint8Array | Blob | ByteSource): Promise<GraphInFile | null> {
  const source = sourceOf(file);
  const found = new FoundTexts();
  await textsInto(source, found);
  const prompt = graphOf(found.get("prompt"));
  const workflow = graphOf(found.get("workflow"));
  if (prompt === null && workflow === null) return null;
  return { ...(prompt === null ? {} : { prompt }), ...(workflow === null ? {} : { workflow }) };
}

async function textsInto(source: ByteSource, found: FoundTexts): Promise<void> {
  const head = await source.read(0, 16);
  if (head.length < 12) return;
  const [word, second] = [wordAt(head, 0), wordAt(head, 4)];
  if (word === "\x89PNG") await pngInto(source, found);
  else if (word === "RIFF" && wordAt(head, 8) === "WEBP") await webpInto(source, found);
  else if (head[0] === 0xff && head[1] === 0xd8) await jpegInto(source, found);
  else if (word === "fLaC") await flacInto(source, found);
  else if (word === "OggS") await oggInto(source, found);
  else if (word.startsWith("ID3")) {
    const end = await id3Into(source, found);
    if (wordAt(await source.read(end, 4), 0) === "fLaC") await flacInto(source, found, end + 4);
  } else if (viewOf(head).getUint32(0) === 0x1a45dfa3) await webmInto(source, found);
  else if (second === "ftyp" || second === "moov" || second === "wide" || second === "mdat")
    await mp4Into(source, found);
  else await latentInto(source, head, found);
}

// A saved latent begins with a JSON header, preceded by its length.
async function latentInto(source: ByteSource, head: Uint8Array, found: FoundTexts): Promise<void> {
  const length = viewOf(head).getUint32(0, true);
  if (viewOf(head).getUint32(4, true) !== 0 || head[8] !== 0x7b || length > textBytesMax) return;
  const described = graphOf(utf8(await source.read(8, length)));
  const texts: unknown = described === null ? null : Reflect.get(described, "__metadata__");
  if (typeof texts !== "object" || texts === null) return;
  for (const [name, text] of Object.entries(texts)) if (typeof text === "string") found.add(name, text);
}

// Null if it is not a JSON object.
function graphOf(text: string | undefined): object | null {
  if (text === undefined) return null;
  // The application writes NaN, which is not JSON, for a class that must run every time.
  for (const each of text.includes("NaN") ? [text, withoutNaN(text)] : [text]) {
    try {
      const value: unknown = parseJson(each);
      return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
    } catch {}
  }
  return null;
}

// Leaves strings alone.
function withoutNaN(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|\bNaN\b/g, (token) => (token === "NaN" ? "null" : token));
}
