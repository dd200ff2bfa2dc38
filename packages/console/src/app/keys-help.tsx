// The keys of the console, shown with `?`.
import type { ReactNode } from "react";
import { help as words } from "#strings/ui/help";
import { Dialog } from "../ui/dialog.tsx";
import styles from "./keys-help.module.css";

export function KeysHelp({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title={words.title} isOpen onClose={onClose}>
      {words.groups.map(({ title, keys }) => (
        <section key={title} className={styles.group}>
          <h3>{title}</h3>
          <dl>
            {keys.map(([key, does]) => (
              <div key={does}>
                <dt>
                  {key.split(" ").map((part) => (
                    <kbd key={part}>{part}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p>
        <a href="/docs/guides">{words.guides}</a>
      </p>
    </Dialog>
  );
}
