// The words a node is found by. Accents and case are dropped. KSamplerAdvanced is found by ksampleradvanced, ksampler and
// advanced; impact-pack by impact, pack and impactpack. Words are letters and digits only, so they need no quoting in a
// search document.

import type { NodeFields } from "./node-fields.ts";
export interface SearchDocument {
  // In PostgreSQL's tsvector syntax.
  readonly document: string;
  readonly words: readonly string[];
}

type Weight = "A" | "B" | "C" | "D";
const wordLengthMax = 40;
const wordsMax = 1_000;
const queryWordsMax = 12;

export function searchDocument(node: {
  nodeId: string;
  publisherId: string | null;
  fields: NodeFields;
}): SearchDocument {
  const { fields } = node;
  const weights = new Map<string, Weight>();
  const add = (words: Iterable<string>, weight: Weight) => {
    for (const word of words) if (!weights.has(word) && weights.size < wordsMax) weights.set(word, weight);
  };
  for (const title of [node.nodeId, fields.name]) add([...titleWords(title)], "A");
  for (const text of [...fields.tags, fields.author ?? "", node.publisherId ?? ""]) add([...titleWords(text)], "B");
  add(partsOf(fields.category ?? ""), "C");
  add(partsOf(fields.description), "D");
  const words = [...weights.keys()];
  return { document: words.map((word) => `'${word}':1${weights.get(word) ?? "D"}`).join(" "), words };
}

// The words a person typed; all of them must occur.
export function queryWords(text: string): string[] {
  const words = [...runs(unaccented(text))].map((run) => run.toLowerCase().slice(0, wordLengthMax));
  return [...new Set(words)].slice(0, queryWordsMax);
}

// A title is also found if typed without its spaces and hyphens.
function titleWords(text: string): Set<string> {
  const parts = partsOf(text);
  const joined = [...runs(unaccented(text))].join("").toLowerCase();
  return new Set([...parts, ...(joined.length <= wordLengthMax ? [joined] : [])].filter((word) => word !== ""));
}

function partsOf(text: string): string[] {
  const words = new Set<string>();
  for (const run of runs(unaccented(text))) {
    words.add(bounded(run));
    for (const shape of humpShapes) {
      const humps = run.match(shape) ?? [];
      if (humps.length > 1) for (const hump of humps) if (hump.length > 1) words.add(bounded(hump));
    }
  }
  return [...words];
}

// VAEDecode is VAE and Decode, but KSampler is KSampler. The letters alone cannot decide, so both readings count.
const humpShapes = [
  /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}]+|\p{N}+/gu,
  /\p{Lu}+[\p{Ll}\p{Lo}\p{Lm}]*|[\p{Ll}\p{Lo}\p{Lm}]+|\p{N}+/gu,
];

const bounded = (word: string) => word.toLowerCase().slice(0, wordLengthMax);

function unaccented(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
}

function* runs(text: string): Generator<string> {
  for (const match of text.matchAll(/[\p{L}\p{N}]+/gu)) yield match[0];
}
