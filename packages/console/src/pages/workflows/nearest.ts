// Finds the available class closest to a missing one: by the words of its name, then by its letters.
export function nearestTo(wanted: string, known: readonly string[], most = 2): readonly string[] {
  return known
    .map((name) => [name, likeness(wanted, name)] as const)
    .filter(([, like]) => like >= 0.5)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([name]) => name);
}

function likeness(one: string, other: string): number {
  const [words, others] = [wordsIn(one), wordsIn(other)];
  const shared = words.filter((word) => others.includes(word)).length;
  const byWords = (2 * shared) / Math.max(1, words.length + others.length);
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  const byLetters = 1 - distance(a, b) / Math.max(a.length, b.length, 1);
  return Math.max(byWords, byLetters > 0.7 ? byLetters : 0);
}

// `CLIPTextEncode`, `clip_text-encode` and `CLIP Text Encode` have the same words.
function wordsIn(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])(?=[A-Z])/g, "$1 ")
    .replaceAll(/([A-Z])(?=[A-Z][a-z])/g, "$1 ")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of Array.from(one).entries()) {
    const next = [at + 1];
    for (const [column, with_] of Array.from(other).entries())
      next.push(
        Math.min((next[column] ?? 0) + 1, (row[column + 1] ?? 0) + 1, (row[column] ?? 0) + (letter === with_ ? 0 : 1)),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}
