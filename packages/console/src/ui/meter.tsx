// How much of something is used: in words, and as a bar if there is a limit.

import type { ReactNode } from "react";
import { ui as words } from "#strings/ui";
import { formatCredits } from "./figures.tsx";
import kit from "./kit.module.css";
import styles from "./meter.module.css";
import { Rich } from "./text/rich.tsx";

export function CreditMeter(props: {
  readonly label: string;
  readonly spent: string;
  readonly max: string | null;
}): ReactNode {
  const { label, spent, max } = props;
  const part = max === null ? null : Number(max) === 0 ? 1 : Number(spent) / Number(max);
  return (
    <div className={styles.meter}>
      <div className={styles.words}>
        <span className={kit.soft}>{label}</span>
        <span>
          {max === null ? (
            <strong>{formatCredits(spent)}</strong>
          ) : (
            <Rich
              text={words.of}
              spent={<strong>{formatCredits(spent)}</strong>}
              max={<span className={kit.soft}>{formatCredits(max)}</span>}
            />
          )}
        </span>
      </div>
      {part === null ? null : (
        <div className={styles.bar} data-state={part >= 1 ? "full" : part >= 0.8 ? "near" : "fine"} aria-hidden="true">
          <div style={{ width: `${Math.min(1, part) * 100}%` }} />
        </div>
      )}
    </div>
  );
}
