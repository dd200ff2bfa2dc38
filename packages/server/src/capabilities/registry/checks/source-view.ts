// A source file as rules see it, in views of the same length with the same lines, so an offset in one is valid in the
// others: `code` blanks out comments and strings, `text` only comments. A match in `code` is real code: no archive is
// flagged for a sentence in a comment or a word in a message.
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

// The lexer's output: [start, end) of the insides of strings and comments, ascending and not overlapping.
export interface Marks {
  readonly strings: readonly (readonly [number, number])[];
  readonly comments: readonly (readonly [number, number])[];
}

export function buildView(source: string, marks: Marks): SourceView {
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

// The text between an opening bracket and its partner, without both. Cut if there is no partner.
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

// Longer than any call a person writes; the rest is cut.
const insideMax = 20_000;
