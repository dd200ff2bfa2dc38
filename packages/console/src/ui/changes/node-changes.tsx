// The changes of a graph as sentences, below the node that they are about.
import type { WorkflowChange } from "@atelier/sdk";
import { Minus, PencilLine, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { uiChanges as words } from "#strings/ui/changes";
import { Chip } from "../chip.tsx";
import { Heading } from "../heading.tsx";
import kit from "../kit.module.css";
import styles from "./changes.module.css";
import { groupByNode, type NodeChanges } from "./diff-groups.ts";

const looks = { added: ["ok", Plus], removed: ["bad", Minus], changed: ["info", PencilLine] } as const;

export function GraphChanges(props: {
  readonly of: readonly WorkflowChange[];
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className={styles.changes}>
      {groupByNode(props.of).map((group) => (
        <NodeChange key={group.nodeId} group={group} />
      ))}
      {props.children}
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
