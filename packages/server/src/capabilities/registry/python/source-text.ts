// Python's view of its own text: identifiers are folded by NFKC, so a name has only one spelling; and offsets have lines.
export function foldLetters(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  return text.replace(/\P{ASCII}/gu, (character) => {
    const folded = character.normalize("NFKC");
    return /^[A-Za-z0-9_]+$/.test(folded) ? folded : character;
  });
}

// Finds the line of an offset. Offsets may come in any order.
export function lineFinder(text: string): (at: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (at) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
