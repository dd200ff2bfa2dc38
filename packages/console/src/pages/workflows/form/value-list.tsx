// Every value of the graph that can be an input, by node: found by its words, or through the node chosen in the graph.
import type { WorkForm, WorkInput } from "@atelier/sdk";
import { writeJson } from "@atelier/sdk";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { workForm } from "#strings/works/form";
import { type Graph, titleOf } from "../../../api/graphs.ts";
import { Button } from "../../../ui/button.tsx";
import kit from "../../../ui/kit.module.css";
import { Panel } from "../../../ui/panel.tsx";
import styles from "./form.module.css";
import { addInput, hasInput, keyOf, removeInput } from "./form-draft.ts";
import { type NodeValues, shownValues } from "./values-by-node.ts";

const words = workForm.values;

// Up to this many nodes start expanded.
const openedMax = 6;

interface ValueListProps {
  readonly form: WorkForm;
  readonly onForm: (form: WorkForm) => void;
  readonly graph: Graph;
  readonly all: readonly WorkInput[];
  // The node chosen in the graph.
  readonly node: string | undefined;
  readonly onNode: (node: string | undefined) => void;
}

export function ValueList(props: ValueListProps): ReactNode {
  const { graph, all, node } = props;
  const [text, setText] = useState("");
  const groups = useMemo(() => shownValues(all, graph, { text, node }), [all, graph, text, node]);
  const panel = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && node !== undefined) panel.current?.scrollIntoView({ block: "nearest", behavior: "smooth" });
    isFirst.current = false;
  }, [node]);
  return (
    <div ref={panel} className={styles.panel}>
      <Panel title={words.title} flush>
        <div className={styles.find}>
          <search>
            <input
              type="search"
              className={kit.input}
              aria-label={words.find}
              placeholder={words.findHint}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          </search>
          {node === undefined ? null : (
            <Button small title={words.allNodes} onClick={() => props.onNode(undefined)}>
              {words.onlyNode(titleOf(graph[node], node))}
              <X aria-hidden="true" />
            </Button>
          )}
        </div>
        {groups.length === 0 ? (
          <p className={styles.nothing}>{node !== undefined && text === "" ? words.noneOfNode : words.none}</p>
        ) : (
          groups.map((group, at) => (
            <OneNode
              // Opens again when it is looked for.
              key={`${group.node} ${node ?? ""} ${text}`}
              {...props}
              group={group}
              isOpen={at < openedMax || text !== "" || node !== undefined}
            />
          ))
        )}
      </Panel>
    </div>
  );
}

function OneNode(props: ValueListProps & { readonly group: NodeValues; readonly isOpen: boolean }): ReactNode {
  const { group, form, onForm } = props;
  const chosen = group.values.filter((value) => hasInput(form, keyOf(value))).length;
  return (
    <details className={styles.node} open={props.isOpen} data-values-of={group.node}>
      <summary>
        <strong>{group.title}</strong>
        <span className={kit.soft}>{words.node(group.node)}</span>
        <span className={styles.count}>{words.chosenOf(chosen, group.values.length)}</span>
      </summary>
      <ul>
        {group.values.map((value) => {
          const isOn = hasInput(form, keyOf(value));
          return (
            <li key={value.input}>
              <label className={styles.value}>
                <input
                  type="checkbox"
                  aria-label={words.pick(value.input, group.title)}
                  checked={isOn}
                  onChange={() => onForm(isOn ? removeInput(form, keyOf(value)) : addInput(form, value))}
                />
                <span>{value.input}</span>
                <code title={textOf(value.default)}>{textOf(value.default)}</code>
                <span className={styles.kind}>{workForm.kinds[value.kind]}</span>
              </label>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

function textOf(value: unknown): string {
  if (value === undefined) return "";
  return (typeof value === "string" ? value : writeJson(value)).slice(0, 200);
}
