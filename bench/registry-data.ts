// Nodes as in a large registry, the same ones for the same numbers: each has a made-up name next to words that many share, so
// that a search has both rare and common words to deal with.
import { newFields } from "../packages/server/src/capabilities/registry/nodes/node-fields.ts";
import { searchDocument } from "../packages/server/src/capabilities/registry/nodes/search-words.ts";

const subjects = `sampler upscale mask depth pose style color light video audio batch prompt latent noise face hair
  sketch line paint relight inpaint outpaint segment caption tile blend curve grain sharpen blur warp morph loop frame
  motion camera scene mesh voxel texture palette gradient contour edge corner grid layout font glyph caption speech music
  beat tempo pitch echo filter mixer switch router cache queue loader saver preview viewer inspector tracker timer`.split(
  /\s+/,
);
const kinds =
  `pack tools suite kit nodes studio helpers bundle lab works extras engine bridge toolkit collection`.split(/\s+/);
const sayings = `adds controls for finer results with less memory and more speed when working on large pictures or long
  films it reads and writes common formats keeps every step reversible shows a preview while it runs supports several
  devices explains its settings in plain words comes with examples for beginners and shortcuts for experts handles odd
  sizes gracefully tests each release on real workflows never changes files without asking follows the colors of your
  screen can be combined freely works offline after the first download`.split(/\s+/);
const [beginnings, middles, ends] = [
  "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu bra cle dri flo gru".split(" "),
  "ra le mi no tu va ze li mo nu sa te ri lo ku da".split(" "),
  "x n s lis dor mir tek nax vel ron ph rus lan tis mon".split(" "),
];
const systems = [["Linux", "Windows"], ["Linux"], ["Windows", "macOS", "Linux"], null, null];

export interface MadeNode {
  readonly number: number;
  readonly nodeId: string;
  readonly brand: string;
  readonly subjects: readonly [string, string];
  readonly kind: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly words: readonly string[];
}

export function madeNode(number: number, publisherId: string): MadeNode {
  const brand = brandOf(number);
  const [one, two] = [pick(subjects, number * 7 + 3), pick(subjects, number * 13 + Math.floor(number / 50) + 5)];
  const kind = pick(kinds, number * 3 + Math.floor(number / 11));
  const name = `${capital(brand)} ${capital(one)} ${capital(two)} ${capital(kind)}`;
  const nodeId = `${brand}-${one}-${two}-${kind}`;
  const description = Array.from({ length: 24 }, (_, at) => pick(sayings, number * 17 + at * (7 + (number % 5)))).join(
    " ",
  );
  const tags = [one, pick(subjects, number * 29 + 1)];
  const author = `${capital(brandOf(Math.floor(number / 7)))} ${capital(brandOf(Math.floor(number / 3) + 9000))}`;
  const supportedOs = pick(systems, number) ?? null;
  const repository = `https://code.example/${brandOf(Math.floor(number / 7))}/${nodeId}`;
  const fields = newFields({ id: nodeId, name, description, author, tags, repository, license: "LICENSE" });
  const { document, words } = searchDocument({ nodeId, publisherId, fields });
  const row = {
    number,
    node_id: nodeId,
    publisher_id: publisherId,
    name,
    description,
    author,
    repository,
    tags,
    supported_os: supportedOs,
    downloads: Math.floor(1_000_000 / (1 + ((number * 7919) % 20_000))),
    search_document: document,
  };
  return { number, nodeId, brand, subjects: [one, two], kind, row, words };
}

// Twenty thousand numbers give twenty thousand words.
export function brandOf(number: number): string {
  const mixed = (number * 9301) % 90_000;
  const first = beginnings[mixed % 25] ?? "";
  const second = middles[Math.floor(mixed / 25) % 16] ?? "";
  const third = middles[Math.floor(mixed / 400) % 15] ?? "";
  return `${first}${second}${third}${ends[Math.floor(mixed / 6_000) % 15] ?? ""}`;
}

// Typos: two neighbours swapped, a letter left out, or one doubled.
export function misspelt(word: string, number: number): string {
  const at = 1 + (number % (word.length - 2));
  if (number % 3 === 0) return `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
  return number % 3 === 1 ? word.slice(0, at) + word.slice(at + 1) : word.slice(0, at) + word[at] + word.slice(at);
}

function pick<Item>(list: readonly Item[], at: number): Item {
  const item = list[((at % list.length) + list.length) % list.length];
  if (item === undefined) throw new Error("an empty list");
  return item;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
