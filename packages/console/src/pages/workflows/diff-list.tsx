// What differs between two versions: sentences, grouped by node.
import type { WorkflowDiff } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Minus, PencilLine, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { savedWorkflows } from "#strings/saved-workflows";
import { diffQuery } from "../../api/saved/saved-workflows.ts";
import { Chip } from "../../ui/chip.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { groupByNode, type NodeChanges } from "./diff-groups.ts";
import styles from "./saved.module.css";

const words = savedWorkflows.diff;

const looks = { added: ["ok", Plus], removed: ["bad", Minus], changed: ["info", PencilLine] } as const;

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
    <div className={styles.changes}>
      {groupByNode(diff.changes).map((group) => (
        <NodeChange key={group.nodeId} group={group} />
      ))}
      {diff.is_complete ? null : <p className={kit.soft}>{words.incomplete(diff.changes.length)}</p>}
    </div>
  );
}

function NodeChange({ group }: { readonly group: NodeChanges }): ReactNode {
  const [tone, icon] = looks[group.kind];
  return (
    <section className={styles.change} data-change={group.nodeId}>
      <div className={styles.changeHead}>
        <Heading>{group.title}</Heading>
        <span className={kit.soft}>{words.node(group.nodeId)}</span>
        <Chip tone={tone} icon={icon}>
          {words.kinds[group.kind]}
        </Chip>
      </div>
      {group.kind === "changed" ? (
        <ul>
          {group.sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      ) : (
        group.sentences.map((sentence) => <p key={sentence}>{sentence}</p>)
      )}
    </section>
  );
}
