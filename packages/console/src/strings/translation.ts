// What a second language must provide. Each file of its folder is typed against the English one:
//   import type { errors as en } from "../en/errors.ts";
//   import type { Translation } from "../translation.ts";
//   export const errors: Translation<typeof en> = { … };
// A missing entry does not compile, nor one that loses a `{name}` of the sentence.
export type Translation<English> = English extends (...values: infer Values) => string
  ? (...values: Values) => string
  : English extends string
    ? Holding<NamesIn<English>>
    : { readonly [Entry in keyof English]: Translation<English[Entry]> };

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

// Any text, or one that has each of the names in it, in any order.
type Holding<Name extends string> = [Name] extends [never]
  ? string
  : (Name extends string ? (text: `${string}{${Name}}${string}`) => void : never) extends (text: infer All) => void
    ? All
    : never;
