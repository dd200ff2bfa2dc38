// The layout of all sign-in pages: the name, one panel, one thing to do.

import type { ReactNode } from "react";
import { signIn as words } from "#strings/sign-in";
import mark from "../../ui/mark.svg";
import { PageHead, Panel } from "../../ui/panel.tsx";
import styles from "./sign-in.module.css";

export function WayIn(props: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className={styles.way}>
      <div className={styles.brand}>
        <img src={mark} alt="" />
        {words.name}
      </div>
      <PageHead title={props.title} lead={props.lead} />
      <Panel>
        <div className={styles.parts}>{props.children}</div>
      </Panel>
    </div>
  );
}
