// What the prompt's words ask for: a scene, a mood, a colour, a figure. Unlisted words still count: they are part of the hash
// that every choice comes from. The prompt is only ever compared, never executed or written out.
import type { Mood } from "./palette.ts";

export type SceneName = keyof typeof sceneWords;
export type Figure = keyof typeof figureWords;

export interface Reading {
  readonly scene: SceneName | null;
  readonly mood: Mood | null;
  // Hue in degrees.
  readonly tint: number | null;
  readonly figures: readonly Figure[];
  readonly wantsMoon: boolean;
  readonly wantsStars: boolean;
  readonly wantsSnow: boolean;
  readonly wantsRain: boolean;
  readonly wantsWater: boolean;
  readonly wantsAurora: boolean;
  readonly wantsRing: boolean;
}

// The first entry that lists a word decides its meaning.
type WordTable<Meaning extends string> = Readonly<Record<Meaning, string>>;

const sceneWords = {
  space: "space galaxy nebula planet planets cosmos cosmic universe astronaut rocket spaceship saturn orbit alien mars",
  city: "city skyline skyscraper skyscrapers street tokyo york london paris cyberpunk urban downtown buildings building town bridge train robot car",
  forest: "forest woods woodland jungle trees pine pines fir firs bamboo wolf deer owl bear mushroom fairy elf",
  sea: "sea ocean beach wave waves coast island harbour harbor ship boat sailboat lighthouse whale dolphin fish shore bay surf",
  dunes: "desert dunes dune sand sahara camel pyramid pyramids oasis cactus",
  mountains:
    "mountain mountains alps alpine peak peaks summit cliff glacier volcano himalaya fjord snowy dragon eagle castle",
  meadow:
    "meadow flowers flower garden field fields poppies poppy tulip tulips lavender daisy rose roses blossom bee butterfly rabbit horse picnic",
  flow: "abstract flow fluid silk marble liquid smoke waveform texture dream ink swirl energy music emotion pattern psychedelic",
  poster:
    "poster geometric geometry bauhaus minimal minimalist modernist shapes logo icon collage mosaic tiles cubist retro design typography",
  hills:
    "hills hill valley landscape countryside village farm lake river vineyard tuscany house cabin cottage cat dog fox bird balloon moon sunrise",
} as const;

const moodWords: WordTable<Mood> = {
  neon: "neon cyberpunk synthwave vaporwave futuristic electric hologram",
  night: "night midnight moon moonlight moonlit stars starry dark nocturnal aurora darkness owl",
  sunset: "sunset dusk evening twilight fire burning volcano lava dramatic",
  dawn: "dawn sunrise morning misty mist fog foggy dreamy pastel soft calm serene",
  golden: "gold golden honey warm amber sunny sunlight harvest wheat",
  winter: "winter snow snowy ice icy frozen frost christmas polar arctic cold",
  storm: "storm stormy rain rainy thunder lightning gloomy grim cloudy noir",
  autumn: "autumn fall october maple rust",
  spring: "spring blossom cherry sakura easter bloom fresh",
  desert: "desert sahara sand dunes dune canyon mars",
  emerald: "emerald jungle moss mossy bamboo tropical rainforest",
  day: "day noon summer clear blue-sky bright",
};

const tints: readonly (readonly [number, string])[] = [
  [25, "red crimson scarlet ruby blood cherry mars"],
  [50, "orange tangerine copper"],
  [92, "yellow lemon"],
  [145, "green lime mint"],
  [190, "teal turquoise cyan aqua"],
  [258, "blue azure sapphire cobalt indigo"],
  [305, "purple violet lavender lilac amethyst"],
  [352, "pink rose magenta fuchsia sakura"],
];

const figureWords = {
  cat: "cat cats kitten kitty",
  fox: "fox foxes wolf dog puppy husky",
  boat: "boat sailboat ship sail yacht sailing",
  lighthouse: "lighthouse beacon",
  cabin: "cabin house cottage hut home chalet barn",
  balloon: "balloon balloons airship zeppelin",
  birds: "bird birds gull gulls seagull seagulls eagle geese crane cranes dragon",
  tree: "tree oak willow",
  castle: "castle fortress palace tower temple",
  person:
    "person man woman girl boy child traveler traveller wanderer hiker astronaut portrait knight samurai monk robot",
} as const;

export function readPrompt(prompt: string): Reading {
  const read = prompt.slice(0, 4000).toLowerCase();
  const words = new Set(read.match(/\p{L}+/gu));
  const says = (list: string) => list.split(" ").some((word) => words.has(word));
  return {
    scene: meaningsOf(sceneWords, says)[0] ?? null,
    mood: meaningsOf(moodWords, says)[0] ?? null,
    tint: tints.find(([, list]) => says(list))?.[0] ?? null,
    figures: meaningsOf(figureWords, says),
    wantsMoon: says("moon moonlight moonlit"),
    wantsStars: says("stars starry star galaxy"),
    wantsSnow: says("snow snowy snowfall snowing blizzard christmas winter"),
    wantsRain: says("rain rainy storm stormy thunder"),
    wantsWater: says("lake river reflection reflections water pond harbour harbor bay fjord"),
    wantsAurora: says("aurora borealis northern polar"),
    wantsRing: says("ring rings ringed saturn"),
  };
}

function meaningsOf<Meaning extends string>(table: WordTable<Meaning>, says: (list: string) => boolean): Meaning[] {
  const meanings: Meaning[] = [];
  for (const meaning in table) if (says(table[meaning])) meanings.push(meaning);
  return meanings;
}
