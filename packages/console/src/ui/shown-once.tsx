// A text that is shown only once: in full, easy to select, with a copy button that confirms.

import { Check, Copy } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { shared } from "#strings/shared";
import { Button } from "./button.tsx";
import { copyText } from "./copy.tsx";
import kit from "./kit.module.css";
import { Scrollable } from "./scrollable.tsx";
import styles from "./shown-once.module.css";

export function ShownOnce(props: {
  readonly label: string;
  readonly text: string;
  readonly copyLabel?: string;
  readonly look?: "primary";
  readonly hint?: ReactNode;
}): ReactNode {
  const id = useId();
  const [isCopied, setCopied] = useState(false);
  return (
    <div className={styles.once}>
      <div className={styles.head}>
        <span className={kit.label} id={id}>
          {props.label}
        </span>
        <Button
          small
          look={props.look}
          onClick={async () => {
            await copyText(props.text);
            setCopied(true);
          }}
        >
          {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          {isCopied ? shared.copied : (props.copyLabel ?? shared.copy)}
        </Button>
      </div>
      <Scrollable className={styles.text} labelledBy={id}>
        <code>{props.text}</code>
      </Scrollable>
      {props.hint ? <div className={kit.hint}>{props.hint}</div> : null}
    </div>
  );
}
