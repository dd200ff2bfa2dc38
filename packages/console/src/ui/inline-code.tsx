// Texts of schemas, with `code` between backticks shown as code.
import type { ReactNode } from "react";
import { codeParts } from "./code-parts.ts";

export function InlineCode({ text }: { readonly text: string }): ReactNode {
  return codeParts(text).map(({ isCode, words }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
    isCode ? <code key={at}>{words}</code> : words,
  );
}
