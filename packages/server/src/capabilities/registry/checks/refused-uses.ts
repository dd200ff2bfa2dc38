// The capabilities that the operator refuses, as findings. Each is reported once, where it first occurs.
import { type CodeUse, describeUse, wordOf } from "../python/code-uses.ts";
import type { Finding } from "./finding.ts";

export function refusedUses(refused: readonly string[], uses: readonly CodeUse[]): readonly Finding[] {
  return refused.flatMap((word) => {
    const use = uses.find((each) => wordOf(each) === word || each.kind === word);
    if (use === undefined) return [];
    const { file, line } = use;
    const message = `This registry does not accept nodes that ${describeUse(use)} (${use.name}).`;
    return [{ code: `capability_${word}`, message, file, ...(line === undefined ? {} : { line }) }];
  });
}
