// A text that is shown this one time: whole, easy to select, with its own copy button that says that it was copied.
import { Check, Copy } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Button } from "./button.tsx";
import { copyText } from "./copy.tsx";
import kit from "./kit.module.css";
import styles from "./shown-once.module.css";

export function ShownOnce(props: {
  readonly label: string;
  readonly text: string;
  readonly copyLabel?: string;
  readonly hint?: ReactNode;
}): ReactNode {
  const id = useId();
  const [isCopied, setCopied] = useState(false);
  return (
    <div className={styles.once}>
      <span className={kit.label} id={id}>
        {props.label}
      </span>
      <div className={styles.row}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <code className={styles.text} tabIndex={0} role="textbox" aria-readonly="true" aria-labelledby={id}>
          {props.text}
        </code>
        <Button
          look="primary"
          onClick={async () => {
            await copyText(props.text);
            setCopied(true);
          }}
        >
          {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          {isCopied ? "Copied" : (props.copyLabel ?? "Copy")}
        </Button>
      </div>
      {props.hint ? <div className={kit.hint}>{props.hint}</div> : null}
    </div>
  );
}
