// Picks the name for a file in a folder with others: its own if that is free, otherwise with the number after the highest of its
// kind, the way applications count (`fox_00002_.png`). Numbers only grow, so sorting by name is sorting by time.
import { extname } from "node:path";

// Applications end a counted name with a number of at least five digits between underscores.
const counted = /^(.*_)(\d{5,9})_$/s;
const digitsLeast = 5;

export function numberedName(name: string, there: Iterable<string>): string {
  const names = new Set(there);
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  const [, head = `${stem}_`, digits] = counted.exec(stem) ?? [];
  if (digits === undefined && !names.has(name)) return name;
  const tail = `_${extension}`;
  const numbers = [...names].flatMap((each) => numberBetween(each, head, tail) ?? []);
  const own = digits === undefined ? 2 : Number(digits);
  const number = numbers.reduce((highest, each) => Math.max(highest, each + 1), own);
  return `${head}${String(number).padStart(digits?.length ?? digitsLeast, "0")}${tail}`;
}

function numberBetween(name: string, head: string, tail: string): number | null {
  if (!name.startsWith(head) || !name.endsWith(tail)) return null;
  const middle = name.slice(head.length, name.length - tail.length);
  return /^\d{5,9}$/.test(middle) ? Number(middle) : null;
}
