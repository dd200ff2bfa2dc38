// The server pages forward only: to older entries, or back to the start. The browser's back button goes one page back.

import type { ReactNode } from "react";
import { operate as words } from "#strings/operate";
import { Button } from "../../ui/button.tsx";
import styles from "./operate.module.css";

export function Pager(props: {
  readonly isFirst: boolean;
  readonly next: string | undefined;
  readonly label?: string;
  readonly onTurn: (cursor: string | undefined) => void;
}): ReactNode {
  if (props.isFirst && props.next === undefined) return null;
  return (
    <nav className={styles.pager} aria-label={props.label ?? words.pages}>
      <Button small disabled={props.isFirst} onClick={() => props.onTurn(undefined)}>
        {words.firstPage}
      </Button>
      <Button small disabled={props.next === undefined} onClick={() => props.onTurn(props.next)}>
        {words.nextPage}
      </Button>
    </nav>
  );
}
