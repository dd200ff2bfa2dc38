// "Did you mean …?" for anything mistyped. Kept in this package so that it works without the server too.
export function nearWord(word: string, known: readonly string[], before = ""): string {
  const best = known
    .map((other) => ({ other, distance: editDistance(word, other) }))
    .sort((a, b) => a.distance - b.distance)[0];
  const isNear = best !== undefined && best.distance <= Math.min(3, Math.floor(word.length / 2));
  return isNear ? `. Did you mean "${before}${best.other}"?` : ".";
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const exchanged = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
