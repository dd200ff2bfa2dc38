// A graph's values as a form, by node: what people change before they run it again. Links cannot be changed.

import type { ReactNode } from "react";
import { uiForms as words } from "#strings/ui/forms";
import type { KnownClasses } from "../../api/classes.ts";
import { type Graph, type GraphNode, nodesOf, titleOf, valuesOf } from "../../api/graphs.ts";
import kit from "../kit.module.css";
import { type Draft, draftKey, inputOf, kindAt } from "./draft.ts";
import { textOf } from "./field-kinds.ts";
import { LiteralField } from "./literal-field.tsx";
import styles from "./workflow-form.module.css";

// Up to this many nodes start expanded; in a larger graph people expand what they need.
const openedMax = 12;

export function WorkflowForm(props: {
  readonly graph: Graph;
  readonly classes: KnownClasses;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  // Errors by `draftKey`.
  readonly wrong: ReadonlyMap<string, string>;
  // The node to start at.
  readonly node?: string | undefined;
}): ReactNode {
  const groups = nodesOf(props.graph)
    .map(([id, node]) => ({ id, node, values: valuesOf(id, node) }))
    .filter(({ values }) => values.length > 0);
  if (groups.length === 0) return <p className={kit.soft}>{words.noValues}</p>;
  return (
    <div className={styles.form}>
      {groups.map(({ id, node }, at) => (
        <NodeFields key={id} {...props} id={id} at={node} isOpen={at < openedMax || id === props.node} />
      ))}
    </div>
  );
}

function NodeFields(
  props: Parameters<typeof WorkflowForm>[0] & {
    readonly id: string;
    readonly at: GraphNode;
    readonly isOpen: boolean;
  },
): ReactNode {
  const { id, at: node, graph, classes, draft, wrong } = props;
  const values = valuesOf(id, node);
  const isWrong = values.some(({ input }) => wrong.has(draftKey(id, input)));
  const title = titleOf(node);
  return (
    <details
      className={styles.group}
      open={props.isOpen || isWrong}
      data-node-form={id}
      data-came-for={id === props.node}
    >
      <summary>
        <strong>{title}</strong>
        <span>{title === node.class_type ? words.node(id) : words.nodeOfClass(node.class_type, id)}</span>
      </summary>
      <fieldset className={styles.fields}>
        <legend className="visually-hidden">{words.nodeTitle(title, id)}</legend>
        {values.map(({ input, value }) => {
          const key = draftKey(id, input);
          const kind = kindAt(graph, classes, id, input);
          return (
            <LiteralField
              key={input}
              name={input}
              kind={kind}
              described={inputOf(classes, node.class_type, input)}
              text={draft.get(key) ?? textOf(kind, value)}
              isChanged={draft.has(key) && draft.get(key) !== textOf(kind, value)}
              wrong={wrong.get(key)}
              onText={(text) => props.onDraft(new Map(draft).set(key, text))}
              onReset={() => {
                const next = new Map(draft);
                next.delete(key);
                props.onDraft(next);
              }}
            />
          );
        })}
      </fieldset>
    </details>
  );
}
