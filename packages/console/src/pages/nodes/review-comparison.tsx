// For reviewers: a version beside the one before it, each with what was found, and how the version came to its state. What is new
// is marked, because that is what a reviewer decides about.

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { nodes } from "#strings/nodes";
import { Button } from "../../ui/button.tsx";
import kit from "../../ui/kit.module.css";
import { Stack } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { Findings } from "./findings.tsx";
import styles from "./nodes.module.css";
import { adminReviewQuery, capabilitiesQuery, type NodeVersion, type NodeVersionReview } from "./registry-queries.ts";
import { ReviewHistory } from "./review-history.tsx";
import { VersionChip } from "./version-state.tsx";

const words = nodes.queue;

export function ReviewComparison({ version }: { readonly version: NodeVersion }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(capabilitiesQuery(version.node_id, version.version));
  const before = data?.compared_with;
  return (
    <Stack>
      <div className={kit.actions}>
        <Button small look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.hideComparison : before === undefined ? words.history : words.compare(before)}
        </Button>
      </div>
      {isOpen ? <Both version={version} before={before} /> : null}
    </Stack>
  );
}

function Both({ version, before }: { readonly version: NodeVersion; readonly before?: string | undefined }): ReactNode {
  const now = useQuery(adminReviewQuery(version.node_id, version.version));
  const then = useQuery({ ...adminReviewQuery(version.node_id, before ?? ""), enabled: before !== undefined });
  const error = now.error ?? then.error;
  if (error) return <FaultNote fault={error} retry={() => Promise.all([now.refetch(), then.refetch()])} />;
  if (now.data === undefined || (before !== undefined && then.data === undefined)) return <Skeleton height="8rem" />;
  const known = new Set(then.data?.findings.map(sameFinding));
  return (
    <Stack>
      <div className={styles.sideBySide}>
        {then.data ? <Side of={then.data} /> : <p className={kit.soft}>{words.firstVersion}</p>}
        <Side of={now.data} isNew={then.data && ((finding) => !known.has(sameFinding(finding)))} />
      </div>
      <ReviewHistory of={now.data} />
    </Stack>
  );
}

type Finding = NodeVersionReview["findings"][number];

// Lines move between versions.
const sameFinding = ({ code, file, message }: Finding): string => JSON.stringify([code, file ?? null, message]);

function Side(props: {
  readonly of: NodeVersionReview;
  readonly isNew?: ((finding: Finding) => boolean) | undefined;
}): ReactNode {
  const { node_version: version, findings, checked_at: checkedAt, rule_set: rules } = props.of;
  return (
    <section aria-label={nodes.versions.findings(version.version)}>
      <Stack>
        <div className={styles.queueHead}>
          <strong>{version.version}</strong>
          <VersionChip version={version} />
        </div>
        {findings.length === 0 ? (
          <p className={kit.soft}>{checkedAt === null ? nodes.versions.notChecked : nodes.versions.clean(rules)}</p>
        ) : (
          <Findings of={findings} label={nodes.versions.findings(version.version)} isNew={props.isNew} />
        )}
      </Stack>
    </section>
  );
}
