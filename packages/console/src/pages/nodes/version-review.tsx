// How a version came to its state, for its publisher: findings, history, and an appeal if it was flagged or rejected.

import { useQuery } from "@tanstack/react-query";
import { Hourglass, MessageSquareText } from "lucide-react";
import { type ReactNode, useState } from "react";
import { nodes } from "#strings/nodes";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { useField } from "../../ui/calls/use-draft.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { TextArea } from "../../ui/fields.tsx";
import kit from "../../ui/kit.module.css";
import { Stack } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { Findings } from "./findings.tsx";
import styles from "./nodes.module.css";
import { type Node, type NodeVersion, reviewQuery } from "./registry-queries.ts";
import { ReviewHistory } from "./review-history.tsx";

const words = nodes.versions;

interface OfNode {
  readonly node: Node;
  readonly version: NodeVersion;
}

export function VersionReview({ node, version }: OfNode): ReactNode {
  const { data, error, isPending, refetch } = useQuery({
    ...reviewQuery(node.publisher?.id ?? "", node.id, version.id),
    // Reload the review when the version's state changes, or its appeal is answered.
    queryKey: ["registry", "nodes", node.id, "review", version.id, version.status, version.appeal?.created_at ?? ""],
  });
  if (error) return <FaultNote fault={error} retry={refetch} />;
  if (isPending) return <Skeleton height="3rem" />;
  return (
    <Stack>
      {data.findings.length === 0 ? (
        <p className={kit.soft}>{data.checked_at === null ? words.notChecked : words.clean(data.rule_set)}</p>
      ) : (
        <Findings of={data.findings} label={words.findings(version.version)} />
      )}
      <Appeal node={node} version={version} />
      <ReviewHistory of={data} />
    </Stack>
  );
}

function Appeal({ node, version }: OfNode): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (version.appeal)
    return (
      <p className={styles.appealed} role="status">
        <Hourglass aria-hidden="true" size={16} /> {nodes.appeal.waits}
      </p>
    );
  if (version.status !== "NodeVersionStatusFlagged" && version.status !== "NodeVersionStatusBanned") return null;
  return (
    <>
      <div className={styles.appealLine}>
        <p className={kit.soft}>{nodes.appeal.about}</p>
        <Button does={operations.appealNodeVersion} small onClick={() => setOpen(true)}>
          <MessageSquareText aria-hidden="true" /> {nodes.appeal.open}
        </Button>
      </div>
      <Dialog title={nodes.appeal.title(version.version)} isOpen={isOpen} onClose={() => setOpen(false)}>
        <AppealForm node={node} version={version} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function AppealForm({ node, version, onClose }: OfNode & { readonly onClose: () => void }): ReactNode {
  const [reason, reasonField] = useField("");
  return (
    <ChangeForm
      action={nodes.appeal.send}
      why={reason.trim() === "" ? nodes.appeal.reasonFirst : null}
      change={() =>
        call(operations.appealNodeVersion, {
          params: { publisherId: node.publisher?.id ?? "", nodeId: node.id, versionId: version.id },
          json: { reason: reason.trim() },
        })
      }
      stale={[["registry", "nodes", node.id]]}
      said={() => nodes.appeal.sent}
      onClose={onClose}
    >
      <TextArea
        label={nodes.appeal.reason}
        hint={nodes.appeal.hint}
        required
        rows={4}
        maxLength={2048}
        {...reasonField}
      />
    </ChangeForm>
  );
}
