// A graph's values as a form: what people change first, the rest folded away. Links cannot be changed.

import { Undo2 } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { uiForms as words } from "#strings/ui/forms";
import type { KnownClasses } from "../../api/classes.ts";
import { type Graph, nodesOf, titleOf, valuesOf } from "../../api/graphs.ts";
import { Button } from "../button.tsx";
import kit from "../kit.module.css";
import { toast } from "../toast-store.ts";
import { type Draft, draftKey, inputOf, kindAt } from "./draft.ts";
import { textOf } from "./field-kinds.ts";
import { LiteralField } from "./literal-field.tsx";
import { type RankedNode, rankNodes } from "./value-ranks.ts";
import styles from "./workflow-form.module.css";

// Up to this many nodes start expanded; in a larger graph people expand what they need.
const openedMax = 12;

interface FormProps {
  readonly graph: Graph;
  readonly classes: KnownClasses;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  // Errors by `draftKey`.
  readonly wrong: ReadonlyMap<string, string>;
  // The node to start at.
  readonly node?: string | undefined;
}

export function WorkflowForm(props: FormProps): ReactNode {
  const { graph, classes } = props;
  const nodes = nodesOf(graph)
    .map(([id, node]) => ({ id, inputs: valuesOf(id, node).map(({ input }) => input) }))
    .filter(({ inputs }) => inputs.length > 0);
  if (nodes.length === 0) return <p className={kit.soft}>{words.noValues}</p>;
  const ranked = rankNodes(graph, nodes, (id, input) => kindAt(graph, classes, id, input));
  const main = ranked.filter((node) => node.main.length > 0);
  const others = ranked.filter((node) => node.main.length === 0);
  const isWrong = ({ id, rest }: RankedNode) => rest.some(({ input }) => props.wrong.has(draftKey(id, input)));
  return (
    <div className={styles.form}>
      <Changes draft={props.draft} onDraft={props.onDraft} />
      {main.map((node, at) => (
        <NodeFields key={node.id} {...props} of={node} isOpen={at < openedMax || node.id === props.node} />
      ))}
      {main.length === 0 ? (
        others.map((node, at) => <NodeFields key={node.id} {...props} of={node} isOpen={at < openedMax} />)
      ) : others.length === 0 ? null : (
        <Fold className={styles.others} isOpen={others.some((node) => node.id === props.node || isWrong(node))}>
          <summary>{words.otherNodes(others.length)}</summary>
          <div className={styles.form}>
            {others.map((node) => (
              <NodeFields key={node.id} {...props} of={node} isOpen />
            ))}
          </div>
        </Fold>
      )}
    </div>
  );
}

// One button for all of them; it can be taken back while its message is there.
function Changes({ draft, onDraft }: Pick<FormProps, "draft" | "onDraft">): ReactNode {
  if (draft.size === 0) return null;
  const reset = () => {
    onDraft(new Map());
    toast(words.resetDone, { seconds: 10, action: { label: words.undo, run: () => onDraft(draft) } });
  };
  return (
    <div className={styles.changes}>
      <span className={kit.soft}>{words.changed(draft.size)}</span>
      <Button small look="quiet" onClick={reset}>
        <Undo2 aria-hidden="true" />
        {words.resetAll}
      </Button>
    </div>
  );
}

function NodeFields(props: FormProps & { readonly of: RankedNode; readonly isOpen: boolean }): ReactNode {
  const { graph, wrong } = props;
  const { id, main, rest } = props.of;
  const node = graph[id];
  if (node === undefined) return null;
  const isWrong = (values: RankedNode["rest"]) => values.some(({ input }) => wrong.has(draftKey(id, input)));
  const title = titleOf(node);
  const hasFold = main.length > 0 && rest.length > 0;
  return (
    <Fold
      className={styles.group}
      isOpen={props.isOpen || isWrong(main) || isWrong(rest)}
      data-node-form={id}
      data-came-for={id === props.node}
    >
      <summary>
        <strong>{title}</strong>
        <span>{title === node.class_type ? words.node(id) : words.nodeOfClass(node.class_type, id)}</span>
      </summary>
      <fieldset className={styles.fields}>
        <legend className="visually-hidden">{words.nodeTitle(title, id)}</legend>
        {(hasFold ? main : [...main, ...rest]).map(({ input }) => (
          <Value key={input} {...props} input={input} />
        ))}
      </fieldset>
      {hasFold ? (
        <Fold className={styles.rest} isOpen={id === props.node || isWrong(rest)} data-rest>
          <summary>{words.moreValues(rest.length)}</summary>
          <fieldset className={styles.fields}>
            <legend className="visually-hidden">{words.moreOf(title, id)}</legend>
            {rest.map(({ input }) => (
              <Value key={input} {...props} input={input} />
            ))}
          </fieldset>
        </Fold>
      ) : null}
    </Fold>
  );
}

// Opens when there is a reason, and does not close under a person's hands when that reason is gone: a value was corrected.
function Fold({ isOpen, ...rest }: Omit<ComponentProps<"details">, "open"> & { readonly isOpen: boolean }): ReactNode {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return <details {...rest} open={isOpen || wasOpen} />;
}

function Value(props: FormProps & { readonly of: RankedNode; readonly input: string }): ReactNode {
  const { graph, classes, draft, input } = props;
  const { id } = props.of;
  const node = graph[id];
  const key = draftKey(id, input);
  const kind = kindAt(graph, classes, id, input);
  const original = textOf(kind, node?.inputs[input]);
  return (
    <LiteralField
      name={input}
      kind={kind}
      described={inputOf(classes, node?.class_type ?? "", input)}
      text={draft.get(key) ?? original}
      isChanged={draft.has(key) && draft.get(key) !== original}
      isModel={input === "model" && kind === "text" && /^AtelierModel/.test(node?.class_type ?? "")}
      wrong={props.wrong.get(key)}
      onText={(text) => props.onDraft(new Map(draft).set(key, text))}
      onReset={() => {
        const next = new Map(draft);
        next.delete(key);
        props.onDraft(next);
      }}
    />
  );
}
