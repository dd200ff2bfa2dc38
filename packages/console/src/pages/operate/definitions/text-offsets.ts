// Lines and columns of findings as offsets in the text that the editor shows.
import type { DefinitionFinding } from "../../../api/admin.ts";
import type { TextProblem } from "../../../ui/json-editor/mistakes.ts";

// Both from 1; a place behind the end is the end.
export function offsetOf(text: string, { line, column }: { readonly line: number; readonly column: number }): number {
  let at = 0;
  for (let passed = 1; passed < line; passed++) {
    const end = text.indexOf("\n", at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return Math.min(at + column - 1, text.length);
}

// Underlines from the place to the end of its line, or the next brace: the whole of a large value would be no place.
export function problemsIn(
  text: string,
  where: DefinitionFinding["in"],
  findings: readonly DefinitionFinding[],
): readonly TextProblem[] {
  return findings
    .filter((finding) => finding.in === where)
    .map((finding) => {
      const from = offsetOf(text, finding);
      const rest = text.slice(from, text.indexOf("\n", from) < 0 ? undefined : text.indexOf("\n", from));
      return { from, to: from + Math.max(1, rest.trimEnd().length), message: finding.message };
    });
}
