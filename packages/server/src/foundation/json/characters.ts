// How long a text is, as the document's minLength and maxLength count it: in code points, so that a picture sign is one
// character and not two.
export function hasAtMost(text: string, most: number): boolean {
  // Never fewer units than code points, and never more than twice as many.
  if (text.length <= most) return true;
  return text.length <= 2 * most && [...text].length <= most;
}
