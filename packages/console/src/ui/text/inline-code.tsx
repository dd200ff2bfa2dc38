// Text from schemas, with `code` in backticks shown as code.
import type { ReactNode } from "react";
import { keyed } from "../keyed.ts";
import { codeParts } from "./code-parts.ts";

export function InlineCode({ text }: { readonly text: string }): ReactNode {
  return keyed(codeParts(text), ({ words }) => words).map(([key, { isCode, words }]) =>
    isCode ? <code key={key}>{words}</code> : words,
  );
}
