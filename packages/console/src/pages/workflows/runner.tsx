// The opened graph: its values as a form, the graph itself, what it would cost, and the button that runs it.
import { writeJson } from "@atelier/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { lazy, type ReactNode, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useClasses } from "../../api/classes.ts";
import { configQuery } from "../../api/config.ts";
import { asFault } from "../../api/fault.ts";
import { type Graph, isRecord } from "../../api/graphs.ts";
import { metadataIn, submitJob } from "../../api/jobs.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { apply, type Draft, draftKey } from "../../ui/workflow-form/draft.ts";
import { WorkflowForm } from "../../ui/workflow-form/workflow-form.tsx";
import { Estimate } from "./estimate.tsx";
import type { Opened } from "./open-workflow.ts";
import styles from "./workflows.module.css";

const GraphView = lazy(() =>
  import("../../ui/graph/graph-view.tsx").then(({ GraphView: component }) => ({ default: component })),
);

export function Runner(props: {
  readonly opened: Opened;
  readonly labels: string;
  readonly node: string | undefined;
}): ReactNode {
  const { graph, positions } = props.opened;
  const { data: config } = useQuery(configQuery);
  const [draft, setDraft] = useState<Draft>(new Map());
  const described = useClasses(Object.values(graph).map(({ class_type }) => class_type));
  const { classes, isReady } = described;
  const applied = useMemo(() => apply(graph, classes, draft), [graph, classes, draft]);
  const settled = useDeferredValue(applied.graph);
  const run = useRun();
  const wrong = new Map([...refusedIn(run.error, draft, run.sent), ...applied.wrong]);
  const [chosen, setChosen] = useState(props.node);
  const form = useRef<HTMLDivElement>(null);
  useShownNode(form.current, chosen, isReady);
  return (
    <div className={styles.runner}>
      <div ref={form}>
        {isReady ? (
          <WorkflowForm {...{ graph, classes, draft, wrong }} onDraft={setDraft} node={chosen} />
        ) : (
          <Skeleton height="9rem" count={3} />
        )}
      </div>
      <div className={styles.side}>
        <RunPanel
          labels={props.labels}
          wrong={applied.wrong.size}
          changed={draft.size}
          isBusy={run.isPending}
          onRun={(labels) => run.start(applied.graph, labels, draft)}
        >
          {config?.surface === "cloud" ? <Estimate graph={settled} isHeld={applied.wrong.size > 0} /> : null}
        </RunPanel>
        {run.error ? <FaultNote fault={run.error} title={titleOfRefusal(run.error)} /> : null}
        {described.fault ? (
          <FaultNote
            fault={described.fault}
            title="Some fields are plain: their classes could not be read"
            retry={described.retry}
          />
        ) : null}
        <Panel title="Graph" flush>
          <Suspense fallback={<Skeleton height="18rem" />}>
            <GraphView
              label="Graph of the workflow"
              graph={graph}
              positions={positions}
              chosen={chosen}
              onChoose={setChosen}
              height="20rem"
            />
          </Suspense>
        </Panel>
      </div>
    </div>
  );
}

// A node that is chosen in the graph is brought into view in the form.
function useShownNode(form: HTMLElement | null, id: string | undefined, isReady: boolean): void {
  useEffect(() => {
    if (form === null || id === undefined || !isReady) return;
    const group = form.querySelector<HTMLDetailsElement>(`[data-node-form="${CSS.escape(id)}"]`);
    if (group === null) return;
    group.open = true;
    group.scrollIntoView({ block: "nearest" });
  }, [form, id, isReady]);
}

function RunPanel(props: {
  readonly labels: string;
  readonly wrong: number;
  readonly changed: number;
  readonly isBusy: boolean;
  readonly onRun: (labels: string) => void;
  readonly children: ReactNode;
}): ReactNode {
  const [labels, setLabels] = useState(props.labels);
  return (
    <Panel title="Run">
      <Stack>
        {props.children}
        <TextField
          label="Labels"
          hint="A text, or key=value, key=value. Kept with the job, and found by it."
          value={labels}
          onChange={({ target }) => setLabels(target.value)}
        />
        <Button
          look="primary"
          disabled={props.isBusy}
          why={props.wrong > 0 ? "Something in the form is not right yet" : null}
          onClick={() => props.onRun(labels)}
        >
          <Play aria-hidden="true" />
          {props.isBusy ? "Submitting" : props.changed > 0 ? "Run with changes" : "Run"}
        </Button>
      </Stack>
    </Panel>
  );
}

function useRun() {
  const navigate = useNavigate();
  // The same attempt has the same key: pressing again after a lost answer does not run it twice.
  const key = useRef<readonly [string, string]>(["", ""]);
  const [sent, setSent] = useState<Draft>(new Map());
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ graph, labels }: { readonly graph: Graph; readonly labels: string }) => {
      const metadata = metadataIn(labels);
      const body = { workflow: graph, ...(metadata === undefined ? {} : { metadata }) };
      const text = writeJson(body);
      if (key.current[0] !== text) key.current = [text, crypto.randomUUID()];
      return submitJob(body, key.current[1]);
    },
    onSuccess: ({ id }) => {
      key.current = ["", ""];
      toast("Submitted.");
      void navigate({ to: "/console/jobs/$jobId", params: { jobId: id } });
    },
  });
  const start = (graph: Graph, labels: string, draft: Draft) => {
    setSent(draft);
    mutate({ graph, labels });
  };
  return { start, error, isPending, sent };
}

// What the server said of single inputs, beside their fields, until these are changed.
function refusedIn(thrown: unknown, draft: Draft, sent: Draft): readonly (readonly [string, string])[] {
  const body = thrown ? asFault(thrown).body : null;
  const error = isRecord(body) && isRecord(body["error"]) ? body["error"] : {};
  const details = isRecord(error["details"]) ? error["details"] : {};
  const nodes = isRecord(details["node_errors"]) ? details["node_errors"] : {};
  return Object.entries(nodes).flatMap(([nodeId, node]) => {
    const errors = isRecord(node) && Array.isArray(node["errors"]) ? (node["errors"] as unknown[]) : [];
    return errors.flatMap((each) => {
      const extra = isRecord(each) && isRecord(each["extra_info"]) ? each["extra_info"] : {};
      const input = extra["input_name"];
      if (!isRecord(each) || typeof input !== "string") return [];
      const key = draftKey(nodeId, input);
      const words = [each["message"], each["details"]].filter((text) => typeof text === "string" && text !== "");
      return draft.get(key) === sent.get(key) ? [[key, words.join(": ")] as const] : [];
    });
  });
}

function titleOfRefusal(thrown: unknown): string {
  const { status } = asFault(thrown);
  if (status === 422) return "The server refused the graph; nothing ran";
  if (status === 402) return "Not enough credits; nothing ran";
  return "It was not submitted";
}
