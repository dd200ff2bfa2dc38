// Measures text as the document's minLength and maxLength do: in code points, so that an emoji is one character and not two.
export function hasAtMost(text: string, most: number): boolean {
  // There are never fewer code units than code points, and never more than twice as many.
  if (text.length <= most) return true;
  return text.length <= 2 * most && [...text].length <= most;
}
