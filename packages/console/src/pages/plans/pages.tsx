// Forward to older entries, or back to the start.
import type { ReactNode } from "react";
import { plans } from "#strings/plans";
import { Button } from "../../ui/button.tsx";
import styles from "./plans.module.css";

const words = plans.pages;

export function Pages(props: {
  readonly isFirst: boolean;
  readonly next: string | undefined;
  readonly onTurn: (cursor: string | undefined) => void;
}): ReactNode {
  if (props.isFirst && props.next === undefined) return null;
  return (
    <nav className={styles.pager} aria-label={words.label}>
      <Button small disabled={props.isFirst} onClick={() => props.onTurn(undefined)}>
        {words.first}
      </Button>
      <Button small disabled={props.next === undefined} onClick={() => props.onTurn(props.next)}>
        {words.next}
      </Button>
    </nav>
  );
}
