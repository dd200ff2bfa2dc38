// The graph beside the form: nodes whose values are inputs, and nodes whose results are outputs, are marked.
import type { WorkForm } from "@atelier/sdk";
import { lazy, type ReactNode, Suspense } from "react";
import { workForm } from "#strings/works/form";
import { Panel } from "../../../ui/panel.tsx";
import { Skeleton } from "../../../ui/states.tsx";
import type { Opened } from "../open-workflow.ts";
import { hasOutput } from "./form-draft.ts";

const words = workForm.graph;

const GraphView = lazy(() => import("../../../ui/graph/graph-view.tsx").then((each) => ({ default: each.GraphView })));

export function FormGraph(props: {
  readonly opened: Opened;
  readonly form: WorkForm;
  readonly chosen: string | undefined;
  readonly onChoose: (node: string) => void;
}): ReactNode {
  const { opened, form } = props;
  return (
    <Panel title={words.title} flush>
      <Suspense fallback={<Skeleton height="19rem" />}>
        <GraphView
          label={words.label}
          graph={opened.graph}
          positions={opened.positions}
          noteOf={(id) => noteOf(form, id)}
          chosen={props.chosen}
          onChoose={props.onChoose}
          height="19rem"
        />
      </Suspense>
    </Panel>
  );
}

function noteOf(form: WorkForm, id: string): string | null {
  const count = form.inputs.filter(({ node, also }) =>
    [node, ...(also ?? []).map((each) => each.node)].includes(id),
  ).length;
  const isOutput = hasOutput(form, id);
  if (count === 0) return isOutput ? words.output : null;
  return isOutput ? words.both(words.inputs(count)) : words.inputs(count);
}
