// What stops a fill, in words for the person who started it.
export class FillProblem extends Error {}

export function isFull(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && (thrown.code === "ENOSPC" || thrown.code === "EDQUOT");
}
