// The result, large, and below it how long it took, what it cost, and how to run it again.

import type { ModelDetail, ModelRequest, PlaygroundRun } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleStop, Dices, Play, Repeat, Sparkles, Sprout } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { models } from "#strings/models";
import { shared } from "#strings/shared";
import type { Run, RunState } from "../../api/model-calls/model-run.ts";
import { modelUsageQuery } from "../../api/models.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Chip, StateChip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { formatDuration, useNow } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { CreditsUp } from "../../ui/viewers/count-up.tsx";
import { bucketWords, chargeWords } from "./bucket-words.ts";
import styles from "./model.module.css";
import type { OutputUse } from "./output-tools.tsx";
import { ReopenedRun } from "./reopened-run.tsx";
import { RequestLink } from "./request-link.tsx";
import { type SeedField, seedIn } from "./seeds.ts";

const words = models.result;

const Answer = lazy(() => import("./answer.tsx").then(({ Answer: component }) => ({ default: component })));

export function ResultPane(props: {
  readonly model: ModelDetail;
  readonly run: Run;
  readonly use: OutputUse;
  readonly seed: SeedField | null;
  // From the history; shown while nothing runs.
  readonly reopened: PlaygroundRun | null;
  readonly onAgain: (key: string) => void;
  readonly onSeed: (seed: number | bigint) => void;
  readonly onAnotherSeed: () => void;
  readonly onKept: (assetIds: readonly string[]) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { model, run, onAgain, reopened } = props;
  const { state } = run;
  const isFull = state.phase === "done" || (state.phase === "idle" && reopened !== null);
  return (
    <section className={styles.result} aria-label={words.label} data-phase={state.phase}>
      <div className={styles.stage} data-full={isFull}>
        <p className="visually-hidden" role="status">
          {spokenOf(state)}
        </p>
        {state.phase === "idle" && reopened !== null ? (
          <ReopenedRun key={reopened.id} run={reopened} use={props.use} onClose={props.onClose} />
        ) : null}
        {state.phase === "idle" && reopened === null ? (
          <Empty icon={Sparkles} title={words.empty}>
            <p>{words.emptyText}</p>
          </Empty>
        ) : null}
        {state.phase === "running" ? <Waiting state={state} onCancel={run.cancel} /> : null}
        {state.phase === "left" ? <Left state={state} onAgain={onAgain} /> : null}
        {state.phase === "failed" ? <Failed state={state} model={model} onAgain={onAgain} /> : null}
        {state.phase === "done" ? (
          <Suspense fallback={<Skeleton height="18rem" />}>
            <Answer
              key={state.startedAt}
              model={model.id}
              result={state.result}
              use={props.use}
              onKept={props.onKept}
            />
          </Suspense>
        ) : null}
      </div>
      {state.phase === "done" ? (
        <Figures state={state} model={model.id} onAgain={onAgain} onClear={run.clear}>
          <SeedTools answer={state.result.data} {...props} />
        </Figures>
      ) : null}
    </section>
  );
}

function spokenOf(state: RunState): string {
  if (state.phase === "running")
    return state.request?.status === "IN_QUEUE" ? words.spoken.queued : words.spoken.running;
  if (state.phase === "done") return words.spoken.done(formatDuration(state.ms));
  return state.phase === "failed" ? words.spoken.failed : "";
}

function Waiting(props: {
  readonly state: Extract<RunState, { phase: "running" }>;
  readonly onCancel: () => void;
}): ReactNode {
  const { startedAt, request, isQueued, refusal } = props.state;
  const now = useNow(100);
  const since = request ? new Date(request.created_at).getTime() : startedAt;
  return (
    <div className={styles.waiting}>
      <div className={styles.pulse} aria-hidden="true" />
      <strong>{words.seconds((Math.max(0, now - since) / 1_000).toFixed(1))}</strong>
      {request ? (
        <div className={kit.actions}>
          <StateChip state={request.status} />
          {request.status === "IN_QUEUE" ? <span>{positionOf(request)}</span> : null}
        </div>
      ) : null}
      <p className={kit.soft}>{isQueued ? words.queuedText : words.directText}</p>
      {refusal ? (
        <p className={kit.wrong} role="alert">
          {refusal}
        </p>
      ) : null}
      <Button onClick={props.onCancel}>
        <CircleStop aria-hidden="true" />
        {isQueued ? words.cancel : words.stopWaiting}
      </Button>
    </div>
  );
}

function positionOf({ queue_position: before }: ModelRequest): string {
  if (before === undefined) return "";
  return before === 0 ? words.next : words.ahead(before);
}

function Left(props: {
  readonly state: Extract<RunState, { phase: "left" }>;
  readonly onAgain: (key: string) => void;
}): ReactNode {
  const { key } = props.state;
  return (
    <Empty
      icon={CircleStop}
      title={words.left}
      actions={
        key === null ? null : (
          <Button onClick={() => props.onAgain(key)}>
            <Repeat aria-hidden="true" />
            {words.collect}
          </Button>
        )
      }
    >
      <p>{words.leftText}</p>
    </Empty>
  );
}

function Failed(props: {
  readonly state: Extract<RunState, { phase: "failed" }>;
  readonly model: ModelDetail;
  readonly onAgain: (key: string) => void;
}): ReactNode {
  const { fault, key, ms } = props.state;
  const { title, advice } = bucketWords(fault.code, fault.status);
  return (
    <div className={kit.fault} role="alert" data-bucket={fault.code}>
      <Heading>
        <CircleAlert aria-hidden="true" />
        {title}
      </Heading>
      <p>{fault.message}</p>
      <p>
        <strong>{chargeWords(fault.code, props.model.billing.charges_on_policy_rejection)}</strong> {advice}
        {fault.retryAfter === null ? "" : ` ${words.retryAfter(fault.retryAfter)}`}
      </p>
      <div className={kit.actions}>
        {fault.code === "workspace_changed" ? (
          <Button small onClick={() => location.reload()}>
            {words.reload}
          </Button>
        ) : key !== null && fault.status !== 422 && fault.code !== "content_policy_violation" ? (
          <Button small onClick={() => props.onAgain(key)}>
            <Repeat aria-hidden="true" />
            {words.again}
          </Button>
        ) : null}
        {fault.status === 402 ? (
          <LinkButton small to="/console/usage">
            {words.viewCredits}
          </LinkButton>
        ) : null}
        <span className={kit.soft}>
          {fault.code ? <code>{fault.code}</code> : null} {words.after(formatDuration(ms))}
        </span>
        {fault.requestId ? <RequestLink id={fault.requestId} /> : null}
      </div>
    </div>
  );
}

function Figures(props: {
  readonly state: Extract<RunState, { phase: "done" }>;
  readonly model: string;
  readonly onAgain: (key: string) => void;
  readonly onClear: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const { result, ms, key, request } = props.state;
  const usage = useQuery({ ...modelUsageQuery(props.model), staleTime: 0 });
  const row = usage.data?.data.find((each) => each.request_id === result.requestId && !each.replayed);
  const waited = request?.started_at
    ? new Date(request.started_at).getTime() - new Date(request.created_at).getTime()
    : null;
  const charge = result.creditsUsed ?? request?.credits_used ?? row?.credits ?? null;
  return (
    <div className={styles.resultFoot}>
      <dl className={styles.figures}>
        <Figure name={words.figures.total}>{formatDuration(ms)}</Figure>
        {waited === null ? null : <Figure name={words.figures.queue}>{formatDuration(waited)}</Figure>}
        {row ? <Figure name={words.figures.server}>{formatDuration(row.total_ms)}</Figure> : null}
        {row && row.provider_ms !== null ? (
          <Figure name={words.figures.provider}>{formatDuration(row.provider_ms)}</Figure>
        ) : null}
        <Figure name={words.figures.charge}>
          {result.isReplay ? (
            <Chip tone="cached" icon={Repeat}>
              {words.replayed}
            </Chip>
          ) : charge === null ? (
            "–"
          ) : Number(charge) === 0 ? (
            models.free
          ) : (
            <CreditsUp to={charge} say={shared.credits} />
          )}
        </Figure>
        {result.requestId ? (
          <Figure name={words.figures.request}>
            <RequestLink id={result.requestId} />
          </Figure>
        ) : null}
        {key === null ? null : (
          <Figure name={words.figures.key}>
            <CopyId id={key} />
          </Figure>
        )}
      </dl>
      <div className={kit.actions}>
        {props.children}
        {key === null ? null : (
          <Button small onClick={() => props.onAgain(key)}>
            <Repeat aria-hidden="true" />
            {words.again}
          </Button>
        )}
        <Button small look="quiet" onClick={props.onClear}>
          <Play aria-hidden="true" />
          {words.newRun}
        </Button>
      </div>
    </div>
  );
}

// The seed that made it, into the form; and the same again with another one.
function SeedTools(props: {
  readonly answer: unknown;
  readonly seed: SeedField | null;
  readonly onSeed: (seed: number | bigint) => void;
  readonly onAnotherSeed: () => void;
}): ReactNode {
  if (props.seed === null) return null;
  const used = seedIn(props.answer, props.seed.name);
  return (
    <>
      <Button small onClick={props.onAnotherSeed}>
        <Dices aria-hidden="true" />
        {models.tools.anotherSeed}
      </Button>
      {used === null ? null : (
        <Button small onClick={() => props.onSeed(used)}>
          <Sprout aria-hidden="true" />
          {models.tools.takeSeed(String(used))}
        </Button>
      )}
    </>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
