// The playground: the input on one side, the result, large, on the other, and below it what was run before.
import type { ModelDetail } from "@atelier/sdk";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import type { Owner } from "../../api/drafts.ts";
import type { ModelDocument } from "../../api/models.ts";
import { useChecked } from "../../ui/schema-form/use-checked.ts";
import { BatchPane } from "./batch-pane.tsx";
import { HistoryStrip } from "./history-strip.tsx";
import { InputPane } from "./input-pane.tsx";
import { type InputState, useInput } from "./input-state.ts";
import styles from "./model.module.css";
import { ResultPane } from "./result-pane.tsx";
import { RunBar } from "./run-bar.tsx";
import { usePlay } from "./use-play.ts";

export function Playground(props: {
  readonly model: ModelDetail;
  readonly document: ModelDocument;
  readonly owner: Owner;
}): ReactNode {
  const { model, document: described } = props;
  const input = useInput(model.id, described.input, props.owner);
  const play = usePlay(model.id, described.input, input);
  const checked = useChecked(described.input, input.value, play.run.state);
  const column = useRef<HTMLDivElement>(null);
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a narrow page the result is below the input, so scroll to it when the run starts.
    if (play.isBusy && matchMedia("(max-width: 62rem)").matches)
      result.current?.scrollIntoView({ block: "start", behavior: "smooth" });
  }, [play.isBusy]);
  const isReady = () => {
    if (input.problem !== null || play.isBusy) return false;
    checked.attempt();
    if (checked.own.length === 0) return true;
    requestAnimationFrame(() => column.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    return false;
  };
  const start = () => isReady() && play.start();
  return (
    <div className={styles.playground}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is within does the same */}
      <div
        ref={column}
        className={styles.column}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) start();
        }}
      >
        <InputPane model={model} document={described} input={input} faults={checked.shown} />
        <RunBar
          model={model.id}
          input={input}
          isRunning={play.isBusy}
          isSound={checked.isSound}
          wrong={checked.shown.length}
          onRun={start}
          onForce={() => !play.isBusy && input.problem === null && play.start()}
          onFour={() => isReady() && play.startFour()}
        />
      </div>
      <div ref={result} className={styles.resultColumn}>
        <Results model={model} document={described} input={input} play={play} />
      </div>
    </div>
  );
}

function Results(props: {
  readonly model: ModelDetail;
  readonly document: ModelDocument;
  readonly input: InputState;
  readonly play: ReturnType<typeof usePlay>;
}): ReactNode {
  const { model, input, play } = props;
  const { seed, lanes } = play;
  const schema = props.document.input;
  const use = useMemo(
    () => ({ schema, onInput: (name: string, value: string) => input.setValue({ ...input.value, [name]: value }) }),
    [schema, input],
  );
  return (
    <>
      {Object.keys(lanes.of).length > 0 ? (
        <BatchPane
          lanes={lanes}
          seed={seed}
          use={use}
          onInput={({ call }) => input.setValue(call.input)}
          onKept={play.keepLane}
        />
      ) : (
        <ResultPane
          model={model}
          run={play.run}
          use={use}
          seed={seed}
          reopened={play.reopened}
          onAgain={play.again}
          onSeed={(value) => seed && input.setValue({ ...input.value, [seed.name]: value })}
          onAnotherSeed={play.startAnotherSeed}
          onKept={play.keepRun}
          onClose={() => play.reopen(null)}
        />
      )}
      <HistoryStrip model={model.id} opened={play.reopened} onOpen={play.reopen} />
    </>
  );
}
