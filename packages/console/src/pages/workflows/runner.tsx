// The open graph: its values as a form, the graph itself, what it would cost, and the button that runs it.
import { writeJson } from "@atelier/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Maximize2, Minimize2, Play } from "lucide-react";
import { lazy, type ReactNode, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { workflows as words } from "#strings/workflows";
import { type FoundClasses, useClasses } from "../../api/classes.ts";
import { configQuery } from "../../api/config.ts";
import { asFault } from "../../api/fault.ts";
import type { Graph } from "../../api/graphs.ts";
import { metadataIn, submitJob } from "../../api/jobs.ts";
import { isRecord } from "../../api/json-record.ts";
import { labelledAs, wrongIn } from "../../api/labels.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Panel, Stack } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Applied, apply, type Draft, draftKey } from "../../ui/workflow-form/draft.ts";
import { WorkflowForm } from "../../ui/workflow-form/workflow-form.tsx";
import { Estimate } from "./estimate.tsx";
import { MissingClasses } from "./missing-classes.tsx";
import { type Opened, openEditorGraph } from "./open-workflow.ts";
import type { Changes } from "./workflow-drafts.ts";
import styles from "./workflows.module.css";

const GraphView = lazy(() =>
  import("../../ui/graph/graph-view.tsx").then(({ GraphView: component }) => ({ default: component })),
);

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
  readonly onChange: (changes: Changes) => void;
  // Opens the editor's graph again, because a missing class may be available now.
  readonly onReopen: (opened: Opened) => void;
  // The saved workflow that this is: its id labels the job.
  readonly savedId?: string;
  // Above what runs it.
  readonly picture?: ReactNode;
  // What saves it, given the graph with its changes.
  readonly save?: (edited: Edited) => ReactNode;
}

export function Runner(props: RunnerProps): ReactNode {
  const { graph, sketch } = props.opened;
  const { data: config } = useQuery(configQuery);
  const [draft, setDraft] = useState<Draft>(props.changes.edits);
  const [labels, setLabels] = useState(props.changes.labels);
  useKeptChanges(draft, labels, props.onChange);
  const described = useClasses(sketch ? [] : Object.values(graph).map(({ class_type }) => class_type));
  const { classes, isReady } = described;
  const missing = useMissing(props.opened, described);
  const applied = useMemo(() => apply(graph, classes, draft), [graph, classes, draft]);
  const settled = useDeferredValue(applied.graph);
  const run = useRun(props.savedId);
  const check = useCheckAgain(props.opened, described, props.onReopen);
  const wrong = new Map([...refusedIn(run.error, draft, run.sent), ...applied.wrong]);
  const [chosen, setChosen] = useState(props.node);
  const [isWide, setWide] = useState(sketch !== undefined);
  const form = useRef<HTMLDivElement>(null);
  useShownNode(form.current, chosen, isReady);
  const whyNot = whyNotNow(props.opened, missing, applied.wrong.size);
  const wrongLabel = wrongIn(labelsFor(props.savedId, labels));
  const why = whyNot ?? (wrongLabel === null ? null : words.run.fixLabels);
  const runButton = (
    <RunButton
      why={why}
      isBusy={run.isPending}
      changed={draft.size}
      onRun={() => run.start(applied.graph, labels, draft)}
    />
  );
  const estimate =
    config?.surface === "cloud" && why === null ? <Estimate graph={settled} isHeld={applied.wrong.size > 0} /> : null;
  return (
    <div className={styles.runner} data-wide={isWide} data-sketch={sketch !== undefined}>
      <div ref={form} className={styles.formColumn}>
        {sketch ? null : isReady ? (
          <WorkflowForm {...{ graph, classes, draft, wrong }} onDraft={setDraft} node={chosen} />
        ) : (
          <Skeleton height="9rem" count={3} />
        )}
      </div>
      <div className={styles.side}>
        {props.picture}
        <Lacking {...{ missing, described, check }} problems={sketch?.problems ?? []} />
        <Panel title={words.run.title}>
          <Stack>
            {estimate}
            <TextField
              label={words.run.labels}
              hint={words.run.labelsHint}
              value={labels}
              wrong={wrongLabel}
              onChange={({ target }) => setLabels(target.value)}
            />
            <div className={styles.ownRun}>{runButton}</div>
            {props.save?.(editedOf(applied, draft))}
          </Stack>
        </Panel>
        {run.error ? <FaultNote fault={run.error} title={titleOfRefusal(run.error)} /> : null}
      </div>
      <GraphPanel
        opened={props.opened}
        missing={missing}
        isWide={isWide}
        onWide={setWide}
        chosen={chosen}
        onChoose={setChosen}
      />
      {/* On a phone the form is long, so the run button stays in view. */}
      <div className={styles.quickRun}>{runButton}</div>
    </div>
  );
}

const editedOf = ({ graph, wrong }: Applied, { size }: Draft): Edited => ({
  graph,
  changed: size,
  why: wrong.size > 0 ? words.run.fixFields : null,
});

const labelsFor = (savedId: string | undefined, labels: string) =>
  savedId === undefined ? metadataIn(labels) : labelledAs(savedId, labels);

// What prevents the graph from running, shown before it is tried.
function Lacking(props: {
  readonly missing: readonly string[];
  readonly problems: readonly string[];
  readonly described: FoundClasses;
  readonly check: ReturnType<typeof useCheckAgain>;
}): ReactNode {
  const { missing, problems, described, check } = props;
  return (
    <>
      {missing.length > 0 || problems.length > 0 ? (
        <MissingClasses {...{ missing, problems }} isBusy={check.isPending} onCheck={() => check.mutate()} />
      ) : null}
      {check.error ? <FaultNote fault={check.error} /> : null}
      {described.fault ? (
        <FaultNote fault={described.fault} title={words.graph.classesUnread} retry={described.retry} />
      ) : null}
    </>
  );
}

function GraphPanel(props: {
  readonly opened: Opened;
  readonly missing: readonly string[];
  readonly isWide: boolean;
  readonly onWide: (isWide: boolean) => void;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}): ReactNode {
  const { isWide } = props;
  const { graph, positions, sketch } = props.opened;
  return (
    <Panel
      title={words.graph.title}
      flush
      className={styles.graph}
      actions={
        sketch ? null : (
          <Button small look="quiet" onClick={() => props.onWide(!isWide)}>
            {isWide ? <Minimize2 aria-hidden="true" /> : <Maximize2 aria-hidden="true" />}
            {isWide ? words.graph.collapse : words.graph.expand}
          </Button>
        )
      }
    >
      <Suspense fallback={<Skeleton height="18rem" />}>
        <GraphView
          key={String(isWide)}
          label={words.graph.label}
          graph={graph}
          positions={positions}
          missing={new Set(props.missing)}
          chosen={props.chosen}
          onChoose={props.onChoose}
          height={isWide ? "min(60vh, 36rem)" : "20rem"}
        />
      </Suspense>
    </Panel>
  );
}

// Saved when typing pauses, and before the page unloads.
function useKeptChanges(edits: Draft, labels: string, onChange: (changes: Changes) => void): void {
  const latest = useRef({ edits, labels, onChange });
  latest.current = { edits, labels, onChange };
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at a change of what it does not read
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    const keep = () => latest.current.onChange(latest.current);
    const timer = setTimeout(keep, 250);
    addEventListener("pagehide", keep);
    return () => {
      clearTimeout(timer);
      removeEventListener("pagehide", keep);
      keep();
    };
  }, [edits, labels]);
}

// For an editor's graph, what the server reported; for a graph in API format, every class the server does not know.
function useMissing({ graph, sketch }: Opened, { classes, isReady, fault }: FoundClasses): readonly string[] {
  return useMemo(() => {
    if (sketch) return sketch.missing;
    if (!isReady || fault) return [];
    const names = new Set(Object.values(graph).map(({ class_type }) => class_type));
    return [...names].filter((name) => !classes.has(name)).toSorted();
  }, [graph, sketch, classes, isReady, fault]);
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

function whyNotNow({ sketch }: Opened, missing: readonly string[], wrong: number): string | null {
  const [first = "", ...others] = missing;
  if (missing.length > 0) return words.run.unavailable(first, others.length);
  if (sketch) return sketch.problems[0] ?? words.run.notConverted;
  return wrong > 0 ? words.run.fixFields : null;
}

function RunButton(props: {
  readonly why: string | null;
  readonly isBusy: boolean;
  readonly changed: number;
  readonly onRun: () => void;
}): ReactNode {
  return (
    <Button
      {...(props.why === null ? { look: "primary" as const } : {})}
      disabled={props.isBusy}
      why={props.why}
      onClick={props.onRun}
    >
      <Play aria-hidden="true" />
      {props.isBusy ? words.run.busy : props.changed > 0 ? words.run.withChanges : words.run.action}
    </Button>
  );
}

// Scrolls the node selected in the graph into view in the form.
function useShownNode(form: HTMLElement | null, id: string | undefined, isReady: boolean): void {
  useEffect(() => {
    if (form === null || id === undefined || !isReady) return;
    const group = form.querySelector<HTMLDetailsElement>(`[data-node-form="${CSS.escape(id)}"]`);
    if (group === null) return;
    group.open = true;
    group.scrollIntoView({ block: "nearest" });
  }, [form, id, isReady]);
}

function useRun(savedId: string | undefined) {
  const navigate = useNavigate();
  // The same attempt has the same key: pressing again after a lost answer does not run it twice.
  const key = useRef<readonly [string, string]>(["", ""]);
  const [sent, setSent] = useState<Draft>(new Map());
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ graph, labels }: { readonly graph: Graph; readonly labels: string }) => {
      const metadata = labelsFor(savedId, labels);
      const body = { workflow: graph, ...(metadata === undefined ? {} : { metadata }) };
      const text = writeJson(body);
      if (key.current[0] !== text) key.current = [text, crypto.randomUUID()];
      return submitJob(body, key.current[1]);
    },
    onSuccess: ({ id }) => {
      key.current = ["", ""];
      toast(words.run.submitted);
      void navigate({ to: "/console/jobs/$jobId", params: { jobId: id } });
    },
  });
  const start = (graph: Graph, labels: string, draft: Draft) => {
    setSent(draft);
    mutate({ graph, labels });
  };
  return { start, error, isPending, sent };
}

// The server's errors about single inputs, shown at their fields until those change.
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
      const said = [each["message"], each["details"]].filter((text) => typeof text === "string" && text !== "");
      return draft.get(key) === sent.get(key) ? [[key, said.join(": ")] as const] : [];
    });
  });
}

function titleOfRefusal(thrown: unknown): string {
  const { status, code } = asFault(thrown);
  if (code === "metadata_invalid") return words.run.labelsRejected;
  if (status === 422) return words.run.graphRejected;
  if (status === 402) return words.run.noCredits;
  return words.run.notSubmitted;
}
