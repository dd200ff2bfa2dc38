// The words by which a saved workflow is found. We split texts ourselves rather than with PostgreSQL's parser: that one reads
// `sd_xl_base.safetensors` as a file name, which could then be found only as a whole.
import type { NodeOutline } from "./workflow-outline.ts";

const wordMax = 64;
const wordsMax = 2_000;
// What one text contributes; a prompt is shorter, and embedded pictures are longer.
const textMax = 4_000;
// What all texts together contribute: several hundred prompts.
const textsMax = 100_000;

export function splitWords(text: string): string[] {
  return (
    text
      .slice(0, textMax)
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => word.slice(0, wordMax));
}

export interface Described {
  readonly name: string;
  readonly folder: string;
  readonly tags: readonly string[];
}

export const exactTag = (tag: string) => `tag=${tag}`;
export const exactClass = (name: string) => `class=${name.slice(0, 200)}`;

// The name comes first, so that a huge document cannot push it out.
export function searchWords({ name, folder, tags }: Described, documentWords: readonly string[]): string[] {
  const own = [name, folder, ...tags].flatMap(splitWords);
  return [...new Set([...own, ...tags.map(exactTag), ...documentWords])].slice(0, wordsMax);
}

export function documentWords(nodes: Iterable<NodeOutline>): string[] {
  const words = new Set<string>();
  const classes = new Set<string>();
  let left = textsMax;
  const add = (text: string) => {
    for (const word of splitWords(text)) words.add(word);
  };
  for (const node of nodes) {
    const { classType, title } = node;
    const exact = exactClass(classType);
    if (!classes.has(exact)) {
      classes.add(exact);
      add(classType);
      add(spaced(classType));
    }
    if (title !== null) add(title);
    if (words.size > wordsMax) break;
    if (left <= 0) continue;
    for (const input of node.inputs.values()) {
      if (left <= 0 || input.kind !== "value" || !input.text.startsWith('"')) continue;
      add(input.text);
      left -= Math.min(textMax, input.text.length);
    }
  }
  return [...classes, ...words].slice(0, wordsMax);
}

// LoadImageMask is also found by "image".
const spaced = (name: string) => name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ");
