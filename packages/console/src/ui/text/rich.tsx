// A sentence from the strings with elements in it: `<Rich text="Type {name} to confirm" name={<code>{name}</code>} />`.
// The names in braces are checked by the compiler.
import { Fragment, type ReactNode } from "react";

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

export function Rich<const Text extends string>(
  props: { readonly text: Text } & { readonly [Name in Names<Text>]: ReactNode },
): ReactNode {
  const { text, ...parts } = props;
  const filled = new Map<string, ReactNode>(Object.entries(parts));
  return text.split(/(\{\w+\})/).map((piece, at) => {
    const name = /^\{(\w+)\}$/.exec(piece)?.[1];
    // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its position
    return <Fragment key={at}>{name === undefined ? piece : filled.get(name)}</Fragment>;
  });
}
