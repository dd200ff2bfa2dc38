// What the checks found in a version, each with the line of source that it is about.
import type { NodeVersionReview } from "@atelier/sdk";
import type { ReactNode } from "react";
import { nodes } from "#strings/nodes";
import { Chip } from "../../ui/chip.tsx";
import { keyed } from "../../ui/keyed.ts";
import kit from "../../ui/kit.module.css";
import styles from "./nodes.module.css";

type Finding = NodeVersionReview["findings"][number];

export function Findings(props: {
  readonly of: readonly Finding[];
  readonly label: string;
  // Marks those that the version before did not have.
  readonly isNew?: ((finding: Finding) => boolean) | undefined;
}): ReactNode {
  return (
    <ul className={styles.findings} aria-label={props.label}>
      {keyed(props.of, ({ code, message, file }) => `${code} ${file ?? ""} ${message}`).map(([key, finding]) => (
        <li key={key}>
          {props.isNew?.(finding) ? <Chip tone="warn">{nodes.queue.isNew}</Chip> : null} <code>{finding.code}</code>{" "}
          {finding.message}
          {finding.file ? (
            <div className={kit.soft}>
              <code>
                {finding.file}
                {finding.line === undefined ? "" : `:${finding.line}`}
              </code>
            </div>
          ) : null}
          {finding.source ? <pre className={styles.sourceLine}>{finding.source}</pre> : null}
        </li>
      ))}
    </ul>
  );
}
