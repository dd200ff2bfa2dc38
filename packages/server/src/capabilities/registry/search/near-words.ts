// Finds the known words that a misspelt one may mean: the nearest by edits (a letter changed, added, dropped, or two
// neighbours swapped), within the number of typos that is plausible for a word of that length.
const editsFor = (length: number) => (length < 3 ? 0 : length < 6 ? 1 : length < 10 ? 2 : 3);
const keptMax = 12;

export function nearestWords(wanted: string, known: readonly string[]): string[] {
  let best = editsFor(wanted.length);
  let nearest: string[] = [];
  for (const word of known) {
    const edits = editsBetween(wanted, word, best);
    if (edits === null || edits > best) continue;
    if (edits < best) nearest = [];
    best = edits;
    nearest.push(word);
  }
  return nearest.slice(0, keptMax);
}

// Null if more than `most` are needed.
export function editsBetween(one: string, other: string, most: number): number | null {
  if (Math.abs(one.length - other.length) > most) return null;
  let twoAgo: number[] = [];
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= other.length; column++) {
      const edits = editsAt(one, other, row, column, { twoAgo, before, current });
      current.push(edits);
      least = Math.min(least, edits);
    }
    if (least > most) return null;
    [twoAgo, before] = [before, current];
  }
  const edits = before[other.length] ?? 0;
  return edits <= most ? edits : null;
}

interface Rows {
  readonly twoAgo: readonly number[];
  readonly before: readonly number[];
  readonly current: readonly number[];
}

function editsAt(one: string, other: string, row: number, column: number, rows: Rows): number {
  const far = Number.POSITIVE_INFINITY;
  const isSame = one[row - 1] === other[column - 1];
  const edits = Math.min(
    (rows.before[column] ?? far) + 1,
    (rows.current[column - 1] ?? far) + 1,
    (rows.before[column - 1] ?? far) + (isSame ? 0 : 1),
  );
  const isSwapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
  return isSwapped ? Math.min(edits, (rows.twoAgo[column - 2] ?? far) + 1) : edits;
}
