// "Did you mean …?" for names that are nearly right: of a class, an input, a choice, a file. A graph may be wrong in thousands
// of places and a list may be as long, so one validation has a budget for all its searches: beyond it there are no more
// suggestions.
export interface NearWords {
  // Null if nothing is near, or the budget is used up.
  to(word: string, known: KnownWords): string | null;
}

export const nothingNear: NearWords = { to: () => null };

// The same object is indexed only once.
export type KnownWords = readonly string[] | ReadonlyMap<string, unknown>;

// About ten milliseconds.
const stepsDefault = 1_000_000;
const wordLengthMax = 200;
// For a name contained in another: `sd_xl_base` for `sd_xl_base_1.0.safetensors`.
const partLengthMin = 4;

export function nearWords(stepsMax = stepsDefault): NearWords {
  let steps = 0;
  const found = new Map<KnownWords, Map<string, string | null>>();
  return {
    to(word, known) {
      const before = found.get(known) ?? new Map<string, string | null>();
      found.set(known, before);
      const said = before.get(word);
      if (said !== undefined) return said;
      const asked = folded(word);
      if (steps > stepsMax || asked.text === "" || word.length > wordLengthMax) return null;
      const all = foldedWords(known, (taken) => {
        steps += taken;
      });
      steps += all.length;
      let best: { readonly word: string; readonly distance: number } | null = null;
      for (const other of all) {
        if (steps > stepsMax) break;
        const most: number = best === null ? mostEdits(asked.text) : Math.floor(best.distance);
        const near = nearness(asked, other, most, (taken) => {
          steps += taken;
        });
        if (near !== null && (best === null || near < best.distance)) best = { word: other.word, distance: near };
      }
      before.set(word, best?.word ?? null);
      return best?.word ?? null;
    },
  };
}

interface Folded {
  readonly word: string;
  // Only letters and digits, in lower case: what people remember of a name.
  readonly text: string;
  // Which characters occur, folded into 32 bits.
  readonly marks: number;
}

const foldedBefore = new WeakMap<KnownWords, readonly Folded[]>();

function foldedWords(known: KnownWords, take: (steps: number) => void): readonly Folded[] {
  const before = foldedBefore.get(known);
  if (before) return before;
  const words = known instanceof Map ? known.keys() : known.values();
  const made = Array.from(words, (word) => folded(String(word)));
  take(stepsPerFold * made.length);
  foldedBefore.set(known, made);
  return made;
}

// Folding a name costs as much as comparing this many characters.
const stepsPerFold = 50;

function folded(word: string): Folded {
  const lower = word.slice(0, wordLengthMax + 1).toLowerCase();
  let text = "";
  let marks = 0;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    if (code < 0x80 && !isLetterOrDigit(code)) continue;
    text += lower[at];
    marks |= 1 << (code & 31);
  }
  return { word, text, marks };
}

const isLetterOrDigit = (code: number) => (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);

function mostEdits(text: string): number {
  return Math.min(6, Math.max(1, Math.floor(text.length / 4)));
}

// Null if it is further away than `most`. A contained name ranks behind any misspelt one.
function nearness(asked: Folded, other: Folded, most: number, take: (steps: number) => void): number | null {
  if (asked.text === other.text) return 0;
  const [short, long] = asked.text.length < other.text.length ? [asked.text, other.text] : [other.text, asked.text];
  const isPart = short.length >= partLengthMin && (long.startsWith(short) || long.endsWith(short));
  const partDistance = isPart ? mostEdits(asked.text) + 0.5 + (long.length - short.length) / 1000 : null;
  // Each edit changes at most two of the marks.
  const isFar = long.length - short.length > most || ones(asked.marks ^ other.marks) > 2 * most;
  if (isFar) return partDistance;
  take(asked.text.length * other.text.length);
  return edits(asked.text, other.text, most) ?? partDistance;
}

function ones(bits: number): number {
  let left = bits;
  let count = 0;
  while (left !== 0) {
    left &= left - 1;
    count++;
  }
  return count;
}

// Insertions, deletions, substitutions and transpositions of neighbours. Null if there are more than `most`.
function edits(one: string, other: string, most: number): number | null {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let count = Math.min((last[j - 1] ?? 0) + (isSame ? 0 : 1), (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        count = Math.min(count, (before[j - 2] ?? 0) + 1);
      row.push(count);
      if (count < least) least = count;
    }
    if (least > most) return null;
    [before, last] = [last, row];
  }
  const count = last[other.length] ?? 0;
  return count > most ? null : count;
}
