// A source file as rules see it, in views of equal length and equal lines, so that an offset in one is the same offset in
// the other: `code` without the insides of comments and strings, `text` without comments only. What a rule finds in
// `code` is code; no archive is flagged for a sentence in a comment or a word in a message.
export interface SourceText {
  readonly at: number;
  readonly value: string;
}

export interface SourceView {
  readonly code: string;
  readonly text: string;
  readonly strings: readonly SourceText[];
}

export type Language = "python" | "javascript";

// What a lexer marks: [start, end) of the insides of strings and of comments, in rising order and apart.
export interface Marks {
  readonly strings: readonly (readonly [number, number])[];
  readonly comments: readonly (readonly [number, number])[];
}

export function viewOf(source: string, marks: Marks): SourceView {
  const text = blank(source, marks.comments);
  return {
    text,
    code: blank(text, marks.strings),
    strings: marks.strings.map(([start, end]) => ({ at: start, value: source.slice(start, end) })),
  };
}

function blank(source: string, ranges: readonly (readonly [number, number])[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    parts.push(source.slice(at, start), source.slice(start, end).replace(/[^\n]/g, " "));
    at = end;
  }
  parts.push(source.slice(at));
  return parts.join("");
}

// Finds the line of an offset; offsets are asked for in any order.
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

// The text from an opening bracket to its partner, without both; cut where none comes.
export function insideBrackets(view: SourceView, open: number): string {
  let depth = 0;
  const end = Math.min(view.code.length, open + insideMax);
  for (let at = open; at < end; at++) {
    const character = view.code.charAt(at);
    if (character === "(" || character === "[" || character === "{") depth++;
    else if (character === ")" || character === "]" || character === "}") depth--;
    if (depth === 0) return view.text.slice(open + 1, at);
  }
  return view.text.slice(open + 1, end);
}

// Enough for any call that people write; what is longer is cut.
const insideMax = 20_000;
