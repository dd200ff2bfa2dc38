// The open graph with its values, prices and results on the nodes; beside it the form, and above both what runs it.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { workflows as words } from "#strings/workflows";
import { type FoundClasses, useClasses } from "../../api/classes.ts";
import { configQuery } from "../../api/config.ts";
import type { Graph } from "../../api/graphs.ts";
import { wrongIn } from "../../api/labels.ts";
import { TextField } from "../../ui/fields.tsx";
import { Panel } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { type Applied, apply, type Draft } from "../../ui/workflow-form/draft.ts";
import { WorkflowForm } from "../../ui/workflow-form/workflow-form.tsx";
import { BatchPanel } from "./batch/batch-panel.tsx";
import { newBatch } from "./batch/batch-plan.ts";
import { useBatch } from "./batch/use-batch.ts";
import { Estimate } from "./estimate.tsx";
import { GraphPanel } from "./graph-panel.tsx";
import { useKeptChanges } from "./kept-changes.ts";
import { type LackingHere, lackingWeights } from "./lacking.ts";
import { MissingClasses } from "./missing-classes.tsx";
import { type Opened, openEditorGraph } from "./open-workflow.ts";
import { RunBar } from "./run-bar.tsx";
import { useEstimate } from "./use-estimate.ts";
import { labelsFor, refusedIn, titleOfRefusal, useRun } from "./use-run.ts";
import type { Changes } from "./workflow-drafts.ts";
import styles from "./workflows.module.css";

export interface Edited {
  readonly graph: Graph;
  readonly changed: number;
  // Why it cannot be saved now.
  readonly why: string | null;
}

interface RunnerProps {
  readonly opened: Opened;
  // The changes from when it was last open.
  readonly changes: Changes;
  readonly node: string | undefined;
  // Stores the changes; false if the browser refuses.
  readonly onChange: (changes: Changes) => boolean;
  // Opens the editor's graph again, because a missing class may be available now.
  readonly onReopen: (opened: Opened) => void;
  // The saved workflow that this is: its id labels the job.
  readonly savedId?: string;
  // The job whose outputs are on the nodes until it runs from here.
  readonly madeBy?: string | undefined;
  // At the end of the form.
  readonly picture?: ReactNode;
  // What saves it, given the graph with its changes.
  readonly save?: (edited: Edited) => ReactNode;
}

export function Runner(props: RunnerProps): ReactNode {
  const { graph, sketch } = props.opened;
  const { data: config } = useQuery(configQuery);
  const [draft, setDraft] = useState<Draft>(props.changes.edits);
  const [labels, setLabels] = useState(props.changes.labels);
  const { ran } = props.changes;
  const [settings, setSettings] = useState(props.changes.batch);
  const changes = { edits: draft, labels, ran, batch: settings };
  const kept = useKeptChanges(changes, props.onChange);
  const gone = new Set(sketch?.missing);
  const names = Object.values(graph).map(({ class_type }) => class_type);
  const described = useClasses(names.filter((name) => !gone.has(name)));
  const { classes, isReady } = described;
  const applied = useMemo(() => apply(graph, classes, draft), [graph, classes, draft]);
  const settled = useDeferredValue(applied.graph);
  const lacking = useLacking(props.opened, described, settled);
  const run = useRun(props.savedId, (id) => props.onChange({ ...changes, ran: id }));
  const check = useCheckAgain(props.opened, described, props.onReopen);
  const wrong = new Map([...refusedIn(run.error, draft, run.sent), ...applied.wrong]);
  const [chosen, setChosen] = useState(props.node);
  const form = useRef<HTMLDivElement>(null);
  useShownNode(form.current, chosen, isReady);
  const hasPrices = config?.surface === "cloud";
  const batch = useBatch({
    ...{ graph, classes, draft, labels, hasPrices },
    savedId: props.savedId,
    settings: isReady ? (settings ?? null) : null,
  });
  const jobs = batch.planned !== null && "plan" in batch.planned ? batch.planned.plan.jobs : 1;
  const wrongLabel = wrongIn(labelsFor(props.savedId, labels));
  const why =
    whyNotNow(props.opened, lacking, applied.wrong.size) ??
    (wrongLabel === null ? null : words.run.fixLabels) ??
    (batch.planned !== null && "problems" in batch.planned ? words.batch.fix : null);
  const estimated = useEstimate(settled, hasPrices && why === null && isReady);
  return (
    <div className={styles.runner} data-whole-width>
      <RunBar
        {...{ why, kept }}
        busy={run.isPending ? words.run.busy : batch.isBusy ? words.batch.submitting(batch.done, jobs) : null}
        changed={draft.size}
        runs={jobs}
        estimate={hasPrices && why === null ? <Estimate of={estimated} total={batch.price} /> : null}
        save={props.save?.(editedOf(applied, draft))}
        batch={
          sketch
            ? null
            : {
                isOpen: settings !== undefined,
                onToggle: () => setSettings(settings === undefined ? newBatch : undefined),
              }
        }
        onRun={() => (settings === undefined ? run.start(applied.graph, labels, draft) : batch.start())}
      />
      <GraphPanel
        {...{ chosen, classes, lacking }}
        opened={props.opened}
        graph={settled}
        estimate={estimated.estimate}
        madeBy={ran ?? props.madeBy}
        onChoose={setChosen}
      />
      <div ref={form} className={styles.side}>
        {run.error ? <FaultNote fault={run.error} title={titleOfRefusal(run.error)} /> : null}
        {settings === undefined || sketch || !isReady ? null : (
          <BatchPanel {...{ graph, classes, draft, settings, batch }} onSettings={setSettings} />
        )}
        <Lacking {...{ lacking, described, check }} problems={sketch?.problems ?? []} />
        {sketch ? null : isReady ? (
          <WorkflowForm {...{ graph, classes, draft, wrong }} onDraft={setDraft} node={chosen} />
        ) : (
          <Skeleton height="9rem" count={3} />
        )}
        <Labels value={labels} wrong={wrongLabel} onChange={setLabels} />
        {props.picture}
      </div>
    </div>
  );
}

function Labels(props: {
  readonly value: string;
  readonly wrong: string | null;
  readonly onChange: (labels: string) => void;
}): ReactNode {
  return (
    <Panel>
      <TextField
        label={words.run.labels}
        hint={words.run.labelsHint}
        value={props.value}
        wrong={props.wrong}
        onChange={({ target }) => props.onChange(target.value)}
      />
    </Panel>
  );
}

const editedOf = ({ graph, wrong }: Applied, { size }: Draft): Edited => ({
  graph,
  changed: size,
  why: wrong.size > 0 ? words.run.fixFields : null,
});

// What prevents the graph from running, shown before it is tried.
function Lacking(props: {
  readonly lacking: LackingHere;
  readonly problems: readonly string[];
  readonly described: FoundClasses;
  readonly check: ReturnType<typeof useCheckAgain>;
}): ReactNode {
  const { problems, described, check } = props;
  const { missing, weights } = props.lacking;
  return (
    <>
      {missing.length + weights.length + problems.length > 0 ? (
        <MissingClasses {...{ missing, weights, problems }} isBusy={check.isPending} onCheck={() => check.mutate()} />
      ) : null}
      {check.error ? <FaultNote fault={check.error} /> : null}
      {described.fault ? (
        <FaultNote fault={described.fault} title={words.graph.classesUnread} retry={described.retry} />
      ) : null}
    </>
  );
}

// For an editor's graph, what the server reported; for a graph in API format, every class the server does not know.
function useLacking({ graph: opened, sketch }: Opened, described: FoundClasses, graph: Graph): LackingHere {
  const { classes, isReady, fault } = described;
  return useMemo(() => {
    if (sketch) return { missing: sketch.missing, weights: lackingWeights(opened, classes, sketch.missing) };
    if (!isReady || fault) return { missing: [], weights: [] };
    const names = new Set(Object.values(graph).map(({ class_type }) => class_type));
    const missing = [...names].filter((name) => !classes.has(name)).toSorted();
    return { missing, weights: lackingWeights(graph, classes, missing) };
  }, [opened, graph, sketch, classes, isReady, fault]);
}

function useCheckAgain({ name, said, sketch }: Opened, described: FoundClasses, onReopen: (opened: Opened) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await queries.invalidateQueries({ queryKey: ["class-names"] });
      if (sketch) return openEditorGraph(name, sketch.editor, said);
      await queries.invalidateQueries({ queryKey: ["class"] });
      described.retry();
      return null;
    },
    onSuccess: (opened) => {
      if (opened !== null) onReopen(opened);
    },
  });
}

function whyNotNow({ sketch }: Opened, { missing, weights }: LackingHere, wrong: number): string | null {
  const names = missing.length > 0 ? missing : [...new Set(weights.map(({ name }) => name))];
  const [first = "", ...others] = names;
  if (names.length > 0) return words.run.unavailable(first, others.length);
  if (sketch) return sketch.problems[0] ?? words.run.notConverted;
  return wrong > 0 ? words.run.fixFields : null;
}

// Scrolls the node selected in the graph into view in the form, and opens what hides it.
function useShownNode(form: HTMLElement | null, id: string | undefined, isReady: boolean): void {
  useEffect(() => {
    if (form === null || id === undefined || !isReady) return;
    const group = form.querySelector<HTMLDetailsElement>(`[data-node-form="${CSS.escape(id)}"]`);
    if (group === null) return;
    for (let at: HTMLElement | null = group; at !== null && at !== form; at = at.parentElement)
      if (at instanceof HTMLDetailsElement) at.open = true;
    for (const rest of group.querySelectorAll<HTMLDetailsElement>("[data-rest]")) rest.open = true;
    group.scrollIntoView({ block: "nearest" });
  }, [form, id, isReady]);
}
