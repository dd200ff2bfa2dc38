// What the prompt made, right below the box: large, with what to do next. A failure says what to do as well.
import type { ModelResult } from "@atelier/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleStop, Dices, Download, Images, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { overview } from "#strings/overview";
import { shared } from "#strings/shared";
import type { ApiFault } from "../../api/fault.ts";
import type { Input, Run, RunState } from "../../api/model-calls/model-run.ts";
import { keepRun } from "../../api/model-calls/playground-runs.ts";
import { formatDuration } from "../../ui/amounts.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { useNow } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { FaultNote } from "../../ui/states.tsx";
import { toastFault } from "../../ui/toast-store.ts";
import { CreditsUp } from "../../ui/viewers/count-up.tsx";
import { foundMedia, foundText, kindOf, type Medium, mediumOfBytes } from "../../ui/viewers/found-media.ts";
import { readKeeping, useKept } from "../../ui/viewers/keep-output.ts";
import { MediaView, useBytesUrl } from "../../ui/viewers/media-view.tsx";
import { saveFile } from "../../ui/viewers/save-file.ts";
import { inputLink } from "../../ui/work-form/input-link.ts";
import styles from "./prompt.module.css";
import type { PromptModel } from "./prompt-models.ts";

const words = overview.result;

interface ResultProps {
  readonly run: Run;
  readonly model: PromptModel;
  readonly input: Input;
  readonly prompt: string;
  // The same prompt with another seed.
  readonly onAgain: () => void;
}

export function PromptResult(props: ResultProps): ReactNode {
  const { state } = props.run;
  const region = useRef<HTMLElement>(null);
  const { phase } = state;
  useEffect(() => {
    if (phase === "running") region.current?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }, [phase]);
  if (phase === "idle") return null;
  return (
    <section ref={region} className={styles.result} aria-label={words.label} data-phase={phase}>
      <p className="visually-hidden" role="status">
        {phase === "running" ? words.running : phase === "done" ? words.done : ""}
      </p>
      {state.phase === "running" ? <Waiting state={state} onStop={props.run.cancel} /> : null}
      {state.phase === "left" ? <p className={styles.left}>{words.left}</p> : null}
      {state.phase === "failed" ? <Failed {...props} fault={state.fault} /> : null}
      {state.phase === "done" ? <Done key={state.startedAt} {...props} result={state.result} ms={state.ms} /> : null}
    </section>
  );
}

function Waiting(props: {
  readonly state: Extract<RunState, { phase: "running" }>;
  readonly onStop: () => void;
}): ReactNode {
  const now = useNow(100);
  return (
    <div className={styles.waiting}>
      <span aria-hidden="true">{words.seconds((Math.max(0, now - props.state.startedAt) / 1_000).toFixed(1))}</span>
      <Button small onClick={props.onStop}>
        <CircleStop aria-hidden="true" />
        {words.stop}
      </Button>
    </div>
  );
}

function Failed({ fault, model, input, onAgain }: ResultProps & { readonly fault: ApiFault }): ReactNode {
  const advice: Readonly<Record<string, string>> = words.advice;
  const said = advice[fault.code ?? ""];
  return (
    <FaultNote fault={fault} retry={onAgain} ways={<PlaygroundLink model={model} input={input} />}>
      {said === undefined ? null : <p className={kit.soft}>{said}</p>}
    </FaultNote>
  );
}

function Done(props: ResultProps & { readonly result: ModelResult<unknown>; readonly ms: number }): ReactNode {
  const { result } = props;
  const medium = useMemo(() => (result.data === null ? mediumOfBytes(result) : foundMedia(result.data)[0]), [result]);
  if (medium !== undefined) return <Made {...props} medium={medium} />;
  const text = foundText(result.data);
  return (
    <figure className={styles.made}>
      {text === null ? <p className={styles.left}>{words.noMedia}</p> : <blockquote>{text}</blockquote>}
      <figcaption className={styles.tools}>
        <Facts {...props} />
        <AnotherSeed {...props} />
        <PlaygroundLink {...props} />
      </figcaption>
    </figure>
  );
}

function Made(
  props: ResultProps & { readonly medium: Medium; readonly result: ModelResult<unknown>; readonly ms: number },
): ReactNode {
  const { medium, model, result } = props;
  const { state } = useKept(medium, { model: model.id, result }, medium.from === "address" || readKeeping());
  const memory = useBytesUrl(medium.from === "bytes" ? medium.bytes : null, medium.from === "bytes" ? medium.type : "");
  const kept = state.is === "kept" ? state.asset : null;
  const own = medium.assetId !== undefined && medium.from === "address" ? medium.url : null;
  const src = memory ?? own ?? kept?.url ?? null;
  const assetId = medium.assetId ?? kept?.id;
  useRemembered(props, state.is === "keeping" ? undefined : (assetId ?? null));
  const kind = medium.from === "bytes" ? kindOf(medium.type) : kept ? kindOf(kept.content_type) : medium.kind;
  return (
    <figure className={styles.made}>
      <div className={styles.picture} data-kind={kind}>
        {src === null ? (
          <div className={styles.waiting}>{state.is === "failed" ? state.fault.message : words.fetching}</div>
        ) : (
          <MediaView src={src} kind={kind} alt={props.prompt} name={medium.name} />
        )}
      </div>
      <figcaption className={styles.tools}>
        <Facts {...props} />
        {src === null ? null : (
          <Button small onClick={() => void download(src, kept?.file_path ?? medium.name)}>
            <Download aria-hidden="true" />
            {shared.download}
          </Button>
        )}
        <AnotherSeed {...props} />
        <PlaygroundLink {...props} />
        {assetId ? (
          <Link className={buttonClass({ small: true })} to="/console/gallery" search={{ asset: assetId } as never}>
            <Images aria-hidden="true" />
            {words.gallery}
          </Link>
        ) : null}
      </figcaption>
    </figure>
  );
}

// In the same history as the playground's, once it is known under which id it is kept. A replay is not another run.
function useRemembered(
  { model, input, result }: Pick<ResultProps, "model" | "input"> & { readonly result: ModelResult<unknown> },
  assetId: string | null | undefined,
): void {
  const client = useQueryClient();
  const isDone = useRef(result.isReplay);
  useEffect(() => {
    if (isDone.current || assetId === undefined) return;
    isDone.current = true;
    const { requestId, creditsUsed: credits } = result;
    keepRun({ model: model.id, input, requestId, credits, assetIds: assetId === null ? [] : [assetId] })
      .then(() => client.invalidateQueries({ queryKey: ["playground runs", model.id] }))
      .catch(() => undefined);
  }, [assetId, client, input, model.id, result]);
}

function Facts({
  input,
  result,
  ms,
}: {
  readonly input: Input;
  readonly result: ModelResult<unknown>;
  readonly ms: number;
}): ReactNode {
  const { seed } = input;
  const charge = result.creditsUsed;
  return (
    <span className={styles.facts}>
      {charge === null ? null : (
        <span>{Number(charge) === 0 ? words.free : <CreditsUp to={charge} say={shared.credits} />}</span>
      )}
      <span>{formatDuration(ms)}</span>
      {seed === undefined ? null : <span>{words.seed(String(seed))}</span>}
    </span>
  );
}

function AnotherSeed({ input, onAgain }: Pick<ResultProps, "input" | "onAgain">): ReactNode {
  return (
    <Button small onClick={onAgain}>
      <Dices aria-hidden="true" />
      {"seed" in input ? words.another : words.again}
    </Button>
  );
}

function PlaygroundLink(props: { readonly model: PromptModel; readonly input: Input }): ReactNode {
  const { provider, model } = props.model;
  return (
    <Link
      className={buttonClass({ small: true })}
      to="/console/models/$provider/$model"
      params={{ provider, model }}
      hash={inputLink(props.input) ?? ""}
    >
      <SlidersHorizontal aria-hidden="true" />
      {words.playground}
    </Link>
  );
}

async function download(src: string, name: string): Promise<void> {
  try {
    const response = await fetch(src);
    if (!response.ok) throw new Error(response.statusText);
    saveFile(await response.blob(), name.split("/").at(-1) ?? name);
  } catch (thrown) {
    toastFault(thrown, words.notDownloaded);
  }
}
