// A few sentences about the prompt, generated from a small grammar: deterministic, harmless, and plainly not a language model.
// Words of the prompt appear as data, never as a template.
import type { PictureRequest } from "../pictures/picture.ts";
import { type Random, randomFrom } from "../pictures/random.ts";

type Choices = readonly [string, ...string[]];

const openings: Choices = [
  "Begin with {thing}",
  "Imagine {thing}",
  "There is {thing} in the first light",
  "Somebody once drew {thing}",
  "Picture {thing} from far away",
  "Every version of this starts with {thing}",
];
const turns: Choices = [
  "and let {part} {move} towards {place}",
  "while {part} {move} beyond {place}",
  "until {part} {move} into {place}",
  "as if {part} could {move} through {place}",
];
const middles: Choices = [
  "The colours stay {mood}",
  "Nothing here is {mood} by accident",
  "It feels {mood}, but not for long",
  "Close up, {part} is almost {mood}",
  "What was {mood} becomes {mood}",
];
const endings: Choices = [
  "Stop when {part} is still",
  "Leave {place} empty",
  "Give {thing} one bright edge",
  "Sign it in the corner of {place}",
  "The rest is {part}",
];
const words: Readonly<Record<"part" | "move" | "place" | "mood", Choices>> = {
  part: [
    "the light",
    "a thin line",
    "the shadow",
    "one window",
    "the mist",
    "a slow wave",
    "the far ridge",
    "the grain",
  ],
  move: ["drift", "lean", "fold", "rise", "settle", "turn", "fade"],
  place: [
    "the horizon",
    "the left third",
    "the quiet side",
    "the margin",
    "the water",
    "the next hill",
    "the foreground",
  ],
  mood: ["warm", "patient", "bright", "hushed", "restless", "golden", "cold", "plain", "tender"],
};

export function writeText({ prompt, seed }: Pick<PictureRequest, "prompt" | "seed">): string {
  const random = randomFrom("text", prompt, seed);
  const found = prompt.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
  const things: Choices = [
    prompt.trim().slice(0, 120) || "nothing yet",
    ...found.filter((word) => word.length > 3).slice(0, 40),
  ];
  const sentences: string[] = [];
  const count = 3 + Math.floor(random.next() * 3);
  sentences.push(sentence(`${random.pick(openings)} ${random.pick(turns)}`, things, random));
  for (let index = 0; index < count - 2; index++) {
    const turn = random.chance(0.4) ? `, ${random.pick(turns)}` : "";
    sentences.push(sentence(`${random.pick(middles)}${turn}`, things, random));
  }
  sentences.push(sentence(random.pick(endings), things, random));
  return sentences.join(" ");
}

function sentence(pattern: string, things: Choices, random: Random): string {
  const filled = pattern.replace(/\{(thing|part|move|place|mood)\}/g, (_whole, slot: string) => {
    if (slot === "part" || slot === "move" || slot === "place" || slot === "mood") return random.pick(words[slot]);
    return `“${random.pick(things)}”`;
  });
  return `${filled.charAt(0).toUpperCase()}${filled.slice(1)}.`;
}

// About four characters per token, as a rule of thumb; at least one.
export function tokenCount(text: string): number {
  return Math.max(1, Math.ceil([...text].length / 4));
}
