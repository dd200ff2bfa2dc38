// A request, shown next to the list.
import { ArrowUpRight, X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton, LinkButton } from "../../ui/button.tsx";
import kit from "../../ui/kit.module.css";
import { RequestView } from "./request-view.tsx";
import styles from "./requests.module.css";

export function RequestPeek({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  return (
    <aside className={styles.peek} aria-label="Request">
      <div className={styles.peekHead}>
        <h2>Request</h2>
        <span className={styles.keys} aria-hidden="true">
          <kbd>J</kbd> <kbd>K</kbd> walk · <kbd>Esc</kbd> closes
        </span>
        <LinkButton small to="/console/requests/$requestId" params={{ requestId: id }}>
          <ArrowUpRight aria-hidden="true" />
          Open
        </LinkButton>
        <IconButton small label="Close" onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <div className={kit.panelBody}>
        <RequestView key={id} id={id} />
      </div>
    </aside>
  );
}
