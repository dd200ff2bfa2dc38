// The playground: the input on one side, the result, large, on the other.
import type { ModelDetail } from "@atelier/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import type { Owner } from "../../api/drafts.ts";
import { useRun } from "../../api/model-calls/model-run.ts";
import type { ModelDocument } from "../../api/models.ts";
import { useChecked } from "../../ui/schema-form/use-checked.ts";
import { InputPane } from "./input-pane.tsx";
import { useInput } from "./input-state.ts";
import styles from "./model.module.css";
import { ResultPane } from "./result-pane.tsx";
import { RunBar } from "./run-bar.tsx";

export function Playground(props: {
  readonly model: ModelDetail;
  readonly document: ModelDocument;
  readonly owner: Owner;
}): ReactNode {
  const { model, document: described } = props;
  const search = useSearch({ from: "/console/models/$provider/$model" });
  const navigate = useNavigate({ from: "/console/models/$provider/$model" });
  const input = useInput(model.id, described.input, props.owner);
  const run = useRun(model.id, search.request ?? null, (id) =>
    navigate({
      search: ({ request: _old, ...now }) => (id === null ? now : { ...now, request: id }),
      replace: true,
      resetScroll: false,
    }),
  );
  const client = useQueryClient();
  const { phase } = run.state;
  useEffect(() => {
    // The run was charged and recorded, so reload the figures that show it.
    if (phase === "done" || phase === "failed") void client.invalidateQueries({ queryKey: ["usage"] });
  }, [phase, client]);
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a narrow page the result is below the input, so scroll to it when the run starts.
    if (phase === "running" && matchMedia("(max-width: 62rem)").matches)
      result.current?.scrollIntoView({ block: "start", behavior: "smooth" });
  }, [phase]);
  const checked = useChecked(described.input, input.value, run.state);
  const column = useRef<HTMLDivElement>(null);
  const start = (how: { readonly key?: string; readonly isForced?: boolean } = {}) => {
    if (input.problem !== null || run.state.phase === "running") return;
    checked.attempt();
    if (!how.isForced && checked.own.length > 0) {
      requestAnimationFrame(() => column.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    run.start(input.value, { isQueued: search.how === "queued", ...(how.key === undefined ? {} : { key: how.key }) });
  };
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
          isRunning={phase === "running"}
          isSound={checked.isSound}
          wrong={checked.shown.length}
          onRun={() => start()}
          onForce={() => start({ isForced: true })}
        />
      </div>
      <div ref={result} className={styles.resultColumn}>
        <ResultPane model={model} run={run} onAgain={(key) => start({ key, isForced: true })} />
      </div>
    </div>
  );
}
