// A field that searches a list as a person types.
import type { ReactNode } from "react";
import kit from "../kit.module.css";
import { useTypedText } from "./use-typed-text.ts";

export function FindBox(props: {
  readonly className: string | undefined;
  readonly label: string;
  readonly hint: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}): ReactNode {
  const typed = useTypedText(props.text, props.onText);
  return (
    <search className={props.className}>
      <input
        type="search"
        className={kit.input}
        aria-label={props.label}
        placeholder={props.hint}
        maxLength={200}
        {...typed}
      />
    </search>
  );
}
