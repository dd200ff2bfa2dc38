// A request, shown next to the list.
import { ArrowUpRight, X } from "lucide-react";
import type { ReactNode } from "react";
import { requests as words } from "#strings/requests";
import { shared } from "#strings/shared";
import { IconButton, LinkButton } from "../../ui/button.tsx";
import kit from "../../ui/kit.module.css";
import { Rich } from "../../ui/text/rich.tsx";
import { RequestView } from "./request-view.tsx";
import styles from "./requests.module.css";

export function RequestPeek({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  return (
    <aside className={styles.peek} aria-label={words.one}>
      <div className={styles.peekHead}>
        <h2>{words.one}</h2>
        <span className={styles.keys} aria-hidden="true">
          <Rich text={words.shortcuts} j={<kbd>J</kbd>} k={<kbd>K</kbd>} esc={<kbd>Esc</kbd>} />
        </span>
        <LinkButton small to="/console/requests/$requestId" params={{ requestId: id }}>
          <ArrowUpRight aria-hidden="true" />
          {words.open}
        </LinkButton>
        <IconButton small label={shared.close} onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <div className={kit.panelBody}>
        <RequestView key={id} id={id} />
      </div>
    </aside>
  );
}
