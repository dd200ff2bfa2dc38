// The large side of the page: what was made, what is being made, or an example of it.
import { CircleAlert, CircleStop, RotateCcw, WandSparkles } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { runWork as words } from "#strings/works/run";
import type { Input, RunState } from "../../api/model-calls/model-run.ts";
import { Button } from "../../ui/button.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { useNow } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Rich } from "../../ui/text/rich.tsx";
import { MediaView } from "../../ui/viewers/media-view.tsx";
import { MediumTools, Zoomable } from "../../ui/viewers/medium-tools.tsx";
import { faultWords } from "./fault-words.ts";
import styles from "./run-work.module.css";
import type { Made } from "./runs.ts";
import type { WorkRun } from "./use-work-run.ts";

interface StageProps {
  readonly title: string;
  readonly cover: string | null;
  readonly isLink: boolean;
  readonly run: WorkRun;
  readonly onInputs: (inputs: Input) => void;
}

export function Stage(props: StageProps): ReactNode {
  const { state, shown, made } = props.run;
  const stage = useRef<HTMLElement>(null);
  const isRunning = state.phase === "running";
  useEffect(() => {
    // On a phone the form is below, so go where the result appears.
    if (isRunning && matchMedia("(max-width: 56rem)").matches)
      stage.current?.scrollIntoView({ block: "start", behavior: "smooth" });
  }, [isRunning]);
  return (
    <section ref={stage} className={styles.stage} aria-label={words.result} data-phase={state.phase}>
      <p className="visually-hidden" role="status">
        {spokenOf(state)}
      </p>
      <div className={styles.frame} data-dimmed={isRunning || state.phase === "failed"}>
        {shown === null ? <Cover {...props} /> : <MadeView key={shown.id} title={props.title} made={shown} />}
        {isRunning ? <Waiting state={state} onStop={props.run.stop} /> : null}
        {state.phase === "failed" ? <Failed state={state} isLink={props.isLink} /> : null}
      </div>
      {shown !== null && !isRunning && made.findIndex(({ id }) => id === shown.id) > 0 ? (
        <div className={styles.earlier}>
          <span>{words.showsEarlier}</span>
          <Button small look="quiet" onClick={() => props.onInputs(shown.inputs)}>
            <RotateCcw aria-hidden="true" />
            {words.useInputs}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function spokenOf(state: RunState): string {
  if (state.phase === "running") return words.spoken.running;
  if (state.phase === "done") return words.spoken.done;
  return state.phase === "failed" ? words.spoken.failed : "";
}

// The first example, whole. If it is not a picture, a quiet shape.
function Cover({ cover, title }: StageProps): ReactNode {
  const [isBroken, setBroken] = useState(false);
  if (cover !== null && !isBroken)
    return <img className={styles.picture} src={cover} alt={words.cover(title)} onError={() => setBroken(true)} />;
  return (
    <div className={styles.idle}>
      <WandSparkles aria-hidden="true" />
      <p>{words.idle}</p>
    </div>
  );
}

function MadeView({ made, title }: { readonly made: Made; readonly title: string }): ReactNode {
  const [at, setAt] = useState(0);
  const [isZoomed, setZoomed] = useState(false);
  const medium = made.media[at];
  if (medium === undefined) return <div className={styles.idle}>{words.nothing}</div>;
  return (
    <div className={styles.made}>
      <Zoomable className={styles.medium} isZoomed={isZoomed}>
        <MediaView
          src={medium.url}
          kind={medium.kind}
          name={medium.name}
          alt={made.isExample ? words.cover(title) : words.made(at + 1, title)}
        />
      </Zoomable>
      <div className={styles.madeBar}>
        {made.media.length < 2
          ? null
          : made.media.map((each, index) => (
              <button
                key={each.url}
                type="button"
                className={styles.dot}
                aria-label={words.pick(index + 1)}
                aria-pressed={index === at}
                onClick={() => setAt(index)}
              />
            ))}
        {medium.kind === "file" ? null : (
          <MediumTools
            src={medium.url}
            name={medium.name}
            isPicture={medium.kind === "image"}
            isZoomed={isZoomed}
            onZoom={() => setZoomed((now) => !now)}
          />
        )}
      </div>
    </div>
  );
}

function Waiting(props: {
  readonly state: Extract<RunState, { phase: "running" }>;
  readonly onStop: () => void;
}): ReactNode {
  const { startedAt, request, refusal } = props.state;
  const now = useNow(200);
  const since = request ? new Date(request.created_at).getTime() : startedAt;
  const isQueued = request?.status === "IN_QUEUE";
  return (
    <div className={styles.over}>
      <div className={styles.pulse} aria-hidden="true" />
      <strong>{words.waiting((Math.max(0, now - since) / 1_000).toFixed(1))}</strong>
      <p>{isQueued ? words.queued : words.working}</p>
      {isQueued && request.queue_position ? <p>{words.ahead(request.queue_position)}</p> : null}
      {refusal ? <p className={kit.wrong}>{refusal}</p> : null}
      <Button onClick={props.onStop}>
        <CircleStop aria-hidden="true" />
        {words.stop}
      </Button>
    </div>
  );
}

function Failed(props: {
  readonly state: Extract<RunState, { phase: "failed" }>;
  readonly isLink: boolean;
}): ReactNode {
  const { fault } = props.state;
  const { title, text } = faultWords(fault, props.isLink);
  return (
    <div className={styles.over} role="alert">
      <CircleAlert aria-hidden="true" />
      <strong>{title}</strong>
      <p>{text}</p>
      {fault.requestId === null ? null : (
        <p className={kit.soft}>
          <Rich text={words.faults.request} id={<CopyId id={fault.requestId} />} />
        </p>
      )}
    </div>
  );
}
