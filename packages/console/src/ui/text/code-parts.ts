export interface CodePart {
  readonly isCode: boolean;
  readonly words: string;
}

// A backtick without a second one is just a backtick.
export function codeParts(text: string): readonly CodePart[] {
  const parts: CodePart[] = [];
  let end = 0;
  for (const found of text.matchAll(/`([^`\n]+)`/g)) {
    if (found.index > end) parts.push({ isCode: false, words: text.slice(end, found.index) });
    parts.push({ isCode: true, words: found[1] ?? "" });
    end = found.index + found[0].length;
  }
  if (end < text.length) parts.push({ isCode: false, words: text.slice(end) });
  return parts;
}
