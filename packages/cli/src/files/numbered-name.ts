// The name under which a file is kept where others are: its own if that is free, else with the number that comes after the
// highest of its kind, as applications count (`fox_00002_.png`). Numbers only grow: by name is by time.
import { extname } from "node:path";

// What applications count ends in a number of at least five digits between underscores.
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
