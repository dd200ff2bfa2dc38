// Where the functions of a Python file begin and end, without parsing it. A wrong guess would hide code. So a text with anything
// unusual in it (a tab, a string without an end, an f-string with its own quotes in a field) has no functions here and is parsed
// whole.

export interface FunctionSpan {
  // `def`, or the `async` before it.
  readonly from: number;
  // After the opening bracket. Null if the name is followed by something else.
  readonly params: number | null;
  readonly colon: number;
  // From the first statement to the end of the last one.
  readonly body: number;
  readonly to: number;
}

// The outermost functions, in order: methods, but no functions in functions. Those of one line are left out.
export function functionSpans(text: string): readonly FunctionSpan[] {
  const spans: FunctionSpan[] = [];
  let open: (Omit<FunctionSpan, "body" | "to"> & { readonly indent: number; body: number }) | null = null;
  // Where the last line of code ended.
  let end = 0;
  let at = 0;
  const close = () => {
    if (open !== null && open.body >= 0) {
      const { from, params, colon, body } = open;
      spans.push({ from, params, colon, body, to: end });
    }
    open = null;
  };
  while (at < text.length) {
    const start = at;
    while (text.charCodeAt(at) === space) at++;
    const code = text.charCodeAt(at);
    if (code === newline) at++;
    else if (code === hash) at = lineEnd(text, at) + 1;
    else if (at < text.length) {
      const indent = at - start;
      if (open !== null && indent <= open.indent) close();
      if (open !== null && open.body < 0) open.body = at;
      const from = at;
      const colon: number | null = open === null && startsFunction(text, at) ? endOfLine(text, at, true) : null;
      if (colon === irregular) return [];
      if (colon !== null && text.charCodeAt(colon) === colonMark) {
        at = colon + 1;
        while (text.charCodeAt(at) === space) at++;
        const next = text.charCodeAt(at);
        const params = paramsOf(text, from);
        if (next === newline || next === hash) open = { from, params, colon, indent, body: -1 };
      }
      end = endOfLine(text, at, false);
      if (end === irregular) return [];
      at = end + 1;
      if (text.charCodeAt(end) === hash) at = lineEnd(text, end) + 1;
    }
  }
  close();
  return spans;
}

const irregular = -1;
const [newline, space, hash, colonMark, backslash] = [10, 32, 35, 58, 92];
const [doubleQuote, singleQuote, openBrace, closeBrace] = [34, 39, 123, 125];

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

const functionStart = /(?:async +)?def +\w/y;

function startsFunction(text: string, at: number): boolean {
  functionStart.lastIndex = at;
  return functionStart.test(text);
}

const functionHead = /(?:async +)?def +\w+\(/y;

function paramsOf(text: string, from: number): number | null {
  functionHead.lastIndex = from;
  return functionHead.test(text) ? functionHead.lastIndex : null;
}

// The line break, or the comment before it, that ends a line of code which may go on in brackets, strings and after backslashes;
// or its first colon outside of brackets.
function endOfLine(text: string, from: number, isHeader: boolean): number {
  let depth = 0;
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Letters are most of it.
    if (code > 96 && code < openBrace) continue;
    if (code === newline) {
      if (depth === 0) return at;
    } else if (code === hash) {
      if (depth === 0) return at;
      at = lineEnd(text, at);
    } else if (code === backslash) {
      if (text.charCodeAt(at + 1) !== newline) return irregular;
      at++;
    } else if (code === doubleQuote || code === singleQuote) {
      at = endOfString(text, at, code);
      if (at === irregular) return irregular;
    } else if (code === 40 || code === 91 || code === openBrace) depth++;
    else if (code === 41 || code === 93 || code === closeBrace) {
      if (depth-- === 0) return irregular;
    } else if (code === colonMark && isHeader && depth === 0) return at;
    else if (code < space) return irregular;
  }
  return depth === 0 ? at : irregular;
}

// The last quote of the string that begins here.
function endOfString(text: string, from: number, quote: number): number {
  const isLong = text.charCodeAt(from + 1) === quote && text.charCodeAt(from + 2) === quote;
  const hasFields = isFormatted(text, from);
  let fields = 0;
  for (let at = from + (isLong ? 3 : 1); at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote && (!isLong || (text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote))) {
      if (fields > 0) return irregular;
      return isLong ? at + 2 : at;
    } else if (code === newline && !isLong) return irregular;
    else if (hasFields && (code === openBrace || code === closeBrace)) {
      // Doubled outside of a field, it is the brace itself.
      if (fields === 0 && text.charCodeAt(at + 1) === code) at++;
      else fields += code === openBrace ? 1 : -1;
      if (fields < 0) return irregular;
    }
  }
  return irregular;
}

function isFormatted(text: string, quote: number): boolean {
  const before = text.slice(Math.max(0, quote - 2), quote);
  return /[fFtT]/.test(before.at(-1) ?? "") || /[fFtT][rR]$/.test(before);
}
