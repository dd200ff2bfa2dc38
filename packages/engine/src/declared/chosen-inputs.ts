// Which of a class's inputs count for a node: those of the choices that were made. A choice that is not known yet lets all its
// inputs count.
import type { InputDescription } from "../graph/node-class.ts";

export function chosenInputs(
  inputs: readonly InputDescription[],
  choice: (name: string) => { readonly isOpen: boolean; readonly value: unknown },
): InputDescription[] {
  return inputs.filter(({ onlyFor }) => {
    if (!onlyFor) return true;
    const { isOpen, value } = choice(onlyFor.input);
    return isOpen || (typeof value === "string" && onlyFor.choices.includes(value));
  });
}
