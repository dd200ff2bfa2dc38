// What differs between two versions: sentences, grouped by node.
import type { WorkflowDiff } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { savedWorkflows } from "#strings/saved-workflows";
import { diffQuery } from "../../api/saved/saved-workflows.ts";
import { GraphChanges } from "../../ui/changes/node-changes.tsx";
import kit from "../../ui/kit.module.css";
import { FaultNote, Skeleton } from "../../ui/states.tsx";

const words = savedWorkflows.diff;

export function Difference(props: { readonly id: string; readonly from: number; readonly to: number }): ReactNode {
  const { data, error, refetch } = useQuery({
    ...diffQuery(props.id, props.from, props.to),
    enabled: props.from !== props.to,
  });
  if (props.from === props.to) return <p className={kit.soft}>{words.identical}</p>;
  if (error) return <FaultNote fault={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height="3rem" count={3} />;
  return <Changes diff={data} />;
}

function Changes({ diff }: { readonly diff: WorkflowDiff }): ReactNode {
  if (diff.changes.length === 0) return <p className={kit.soft}>{words.same}</p>;
  return (
    <GraphChanges of={diff.changes}>
      {diff.is_complete ? null : <p className={kit.soft}>{words.incomplete(diff.changes.length)}</p>}
    </GraphChanges>
  );
}
