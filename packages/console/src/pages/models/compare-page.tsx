// One input, up to four models side by side: what each makes of it, how long it takes, what it costs.
import type { ModelEstimate } from "@atelier/sdk";
import { writeJson } from "@atelier/sdk";
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Columns2, Play, Plus, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { models as strings } from "#strings/models";
import { shared } from "#strings/shared";
import { atelier } from "../../api/atelier.ts";
import type { Owner } from "../../api/drafts.ts";
import type { FieldFault } from "../../api/fault.ts";
import { type Lane, type Lanes, useLanes } from "../../api/model-calls/lanes.ts";
import type { Input } from "../../api/model-calls/model-run.ts";
import { documentQuery, type ModelDocument, modelsQuery } from "../../api/models.ts";
import { operations } from "../../api/operations.ts";
import { useOwner } from "../../api/owner.ts";
import { useSettled } from "../../api/use-settled.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/fields.tsx";
import { formatCredits, formatDuration } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { PageHead } from "../../ui/panel.tsx";
import type { Schema } from "../../ui/schema-form/json-schema.ts";
import { SchemaForm } from "../../ui/schema-form/schema-form.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import styles from "./compare.module.css";
import { inputFor, sharedSchema } from "./compare-input.ts";
import { costWords } from "./cost-words.ts";
import { useInput } from "./input-state.ts";
import { LaneStage } from "./lane-stage.tsx";
import { RequestLink } from "./request-link.tsx";

const words = strings.compare;

const modelsMax = 4;
// To begin with.
const offeredFirst = 6;

export function ComparePage(): ReactNode {
  const { models = "" } = useSearch({ from: "/console/compare" });
  const navigate = useNavigate({ from: "/console/compare" });
  const ids = [...new Set(models.split(",").filter((id) => /^[^/\s]+\/[^/\s]+$/.test(id)))].slice(0, modelsMax);
  const set = (next: readonly string[]) =>
    void navigate({ search: next.length === 0 ? {} : { models: next.join(",") }, replace: true, resetScroll: false });
  const documents = useQueries({ queries: ids.map((id) => documentQuery(id)) });
  const ready = documents.flatMap(({ data }, at) => (data ? [{ id: ids[at] ?? "", document: data }] : []));
  const fault = documents.find(({ error }) => error)?.error;
  const owner = useOwner();
  const lanes = useLanes();
  const catalog = useQuery(modelsQuery);
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <ModelPick chosen={ids} onPick={(id) => set([...ids, id])} />
      </PageHead>
      {catalog.error ? (
        <FaultNote fault={catalog.error} title={words.listUnread} retry={() => void catalog.refetch()} />
      ) : null}
      {fault ? (
        <FaultNote
          fault={fault}
          title={words.modelUnread}
          retry={() => documents.forEach(({ error, refetch }) => void (error && refetch()))}
        />
      ) : null}
      {ids.length === 0 ? (
        <Empty
          icon={Columns2}
          title={words.empty}
          actions={catalog.data?.slice(0, offeredFirst).map(({ id }) => (
            <Button key={id} small onClick={() => set([id])}>
              <Plus aria-hidden="true" />
              {id}
            </Button>
          ))}
        >
          {words.emptyText}
        </Empty>
      ) : null}
      {ready.length > 0 && owner !== undefined ? (
        <Comparison
          key={owner}
          owner={owner}
          models={ready}
          lanes={lanes}
          onRemove={(id) => {
            lanes.drop(id);
            set(ids.filter((each) => each !== id));
          }}
        />
      ) : null}
      {ids.length > 0 && (ready.length < ids.length || owner === undefined) && !fault ? (
        <Skeleton height="24rem" />
      ) : null}
    </>
  );
}

function ModelPick(props: { readonly chosen: readonly string[]; readonly onPick: (id: string) => void }): ReactNode {
  const { data } = useQuery(modelsQuery);
  const left = data?.filter(({ id }) => !props.chosen.includes(id)) ?? [];
  const isFull = props.chosen.length >= modelsMax;
  return (
    <Select
      label={words.add}
      disabled={isFull || left.length === 0}
      value=""
      choices={[
        { value: "", label: isFull ? words.full : words.addHint },
        ...left.map(({ id }) => ({ value: id, label: id })),
      ]}
      onChange={(event) => event.target.value !== "" && props.onPick(event.target.value)}
    />
  );
}

interface Chosen {
  readonly id: string;
  readonly document: ModelDocument;
}

function Comparison(props: {
  readonly owner: Owner;
  readonly models: readonly Chosen[];
  readonly lanes: Lanes;
  readonly onRemove: (id: string) => void;
}): ReactNode {
  const { models, lanes } = props;
  const schema = useSharedSchema(models);
  const input = useInput("compare", schema, props.owner);
  const { isRunning } = lanes;
  const faults = useOwnFaults(schema, input.value);
  const run = () => {
    if (isRunning || faults.length > 0) return;
    lanes.start(models.map(({ id, document }) => ({ id, model: id, input: inputFor(document.input, input.value) })));
  };
  return (
    <div className={styles.compare}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is within does the same */}
      <div
        className={styles.input}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
        }}
      >
        <SchemaForm
          schema={schema}
          value={input.value}
          onChange={input.setValue}
          faults={faults.filter(({ isMissing }) => isMissing !== true)}
        />
        <div className={styles.bar}>
          <Sum models={models} input={input.value} isAsked={faults.length === 0} />
          <Button
            does={operations.invokeModel}
            look="primary"
            why={isRunning ? words.isRunning : faults.length > 0 ? words.incomplete : null}
            onClick={run}
          >
            <Play aria-hidden="true" />
            {isRunning ? strings.running : words.runAll(models.length)}
          </Button>
        </div>
      </div>
      <div className={styles.lanes}>
        {models.map(({ id, document }) => (
          <LaneView
            key={id}
            id={id}
            title={document.title}
            lane={lanes.of[id] ?? null}
            onStop={() => lanes.stop(id)}
            onCollect={() => lanes.collect(id)}
            onRemove={() => props.onRemove(id)}
          />
        ))}
      </div>
    </div>
  );
}

// The same object until other models are chosen: a model's document does not change while it is shown.
function useSharedSchema(models: readonly Chosen[]): Schema {
  const known = useRef<{ readonly ids: string; readonly schema: Schema } | null>(null);
  const ids = models.map(({ id }) => id).join();
  if (known.current?.ids !== ids)
    known.current = { ids, schema: sharedSchema(models.map(({ document }) => document.input)) };
  return known.current.schema;
}

const none: readonly FieldFault[] = [];

function useOwnFaults(schema: Schema, value: Input): readonly FieldFault[] {
  const [faults, setFaults] = useState(none);
  useEffect(() => {
    let isCurrent = true;
    void import("../../ui/schema-form/check-value.ts").then(({ checkValue }) => {
      if (isCurrent) setFaults(checkValue(schema, value));
    });
    return () => {
      isCurrent = false;
    };
  }, [schema, value]);
  return faults;
}

// What all of them will cost together; the server estimates each.
function Sum(props: {
  readonly models: readonly Chosen[];
  readonly input: Input;
  readonly isAsked: boolean;
}): ReactNode {
  const settled = useSettled(props.input, 350);
  const estimates = useQueries({
    queries: props.models.map(({ id, document }) => {
      const own = inputFor(document.input, settled);
      return {
        queryKey: ["estimate", id, writeJson(own)],
        enabled: props.isAsked,
        retry: 0,
        placeholderData: keepPreviousData,
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => atelier.models.estimate(id, own, { signal }),
      };
    }),
  });
  const known = estimates.flatMap(({ data }) => (data ? [data] : []));
  if (!props.isAsked) return <span className={kit.soft}>{strings.estimate.incomplete}</span>;
  if (known.length < props.models.length)
    return (
      <span className={kit.soft}>
        {estimates.some(({ error }) => error) ? words.noEstimate : strings.estimate.busy}
      </span>
    );
  return (
    <span role="status" aria-label={strings.estimate.label}>
      <strong>{costWords(sumOf(known))}</strong> <span className={kit.soft}>{words.total}</span>
    </span>
  );
}

function sumOf(estimates: readonly ModelEstimate[]): Pick<ModelEstimate, "credits" | "is_exact"> {
  const sum = (pick: (estimate: ModelEstimate) => string) =>
    String(Number(estimates.reduce((total, each) => total + Number(pick(each)), 0).toFixed(6)));
  return {
    credits: { lowest: sum(({ credits }) => credits.lowest), highest: sum(({ credits }) => credits.highest) },
    is_exact: estimates.every(({ is_exact: isExact }) => isExact),
  };
}

function LaneView(props: {
  readonly id: string;
  readonly title: string;
  readonly lane: Lane | null;
  readonly onStop: () => void;
  readonly onCollect: () => void;
  readonly onRemove: () => void;
}): ReactNode {
  const { id, lane } = props;
  const [provider = "", model = ""] = id.split("/");
  return (
    <section className={styles.lane} aria-label={id} data-phase={lane?.phase ?? "idle"}>
      <div className={styles.laneHead}>
        <h2>
          <Link to="/console/models/$provider/$model" params={{ provider, model }}>
            {props.title}
          </Link>
        </h2>
        <IconButton small label={words.remove(id)} onClick={props.onRemove}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <div className={styles.stage}>
        {lane === null ? <span className={kit.soft}>{words.notRun}</span> : null}
        {lane === null ? null : <LaneStage lane={lane} use={null} onStop={props.onStop} onCollect={props.onCollect} />}
      </div>
      <div className={styles.laneFoot}>
        {lane?.phase === "done" ? (
          <>
            <strong>{formatDuration(lane.ms)}</strong>
            <span>
              {Number(lane.result.creditsUsed ?? 0) === 0
                ? strings.free
                : shared.credits(formatCredits(lane.result.creditsUsed))}
            </span>
            {lane.result.requestId ? <RequestLink id={lane.result.requestId} /> : null}
          </>
        ) : null}
        {lane?.phase === "failed" ? (
          <>
            <span>{strings.result.after(formatDuration(lane.ms))}</span>
            {lane.fault.requestId ? <RequestLink id={lane.fault.requestId} /> : null}
          </>
        ) : null}
      </div>
    </section>
  );
}
