// The playground: the input on one side, the result, large, on the other.
import type { ModelDetail } from "@atelier/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Owner } from "../../api/drafts.ts";
import type { FieldFault } from "../../api/fault.ts";
import type { ModelDocument } from "../../api/models.ts";
import type { Schema } from "../../ui/schema-form/json-schema.ts";
import { InputPane } from "./input-pane.tsx";
import { type Input, useInput } from "./input-state.ts";
import styles from "./model.module.css";
import { ResultPane } from "./result-pane.tsx";
import { RunBar } from "./run-bar.tsx";
import { useRun } from "./use-run.ts";

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

const none: readonly FieldFault[] = [];

// Errors from the browser's check and from the server, at the same fields. Missing fields are marked only after a run was tried;
// the server's errors stay until the input changes.
function useChecked(schema: Schema, value: Input, state: ReturnType<typeof useRun>["state"]) {
  // Null until the check is loaded.
  const [checked, setOwn] = useState<readonly FieldFault[] | null>(null);
  const own = checked ?? none;
  const [wasTried, setTried] = useState(false);
  const [refused, setRefused] = useState<{ readonly value: Input; readonly faults: readonly FieldFault[] } | null>(
    null,
  );
  useEffect(() => {
    let isCurrent = true;
    void import("../../ui/schema-form/check-value.ts").then(({ checkValue }) => {
      if (isCurrent) setOwn(checkValue(schema, value));
    });
    return () => {
      isCurrent = false;
    };
  }, [schema, value]);
  // With the input at the time of the answer.
  const refuse = useEffectEvent((faults: readonly FieldFault[]) => setRefused({ value, faults }));
  useEffect(() => {
    if (state.phase !== "failed" || state.fault.status !== 422) return;
    const faults = state.fault.fields.map(({ path, message }) => ({
      path: path[0] === "body" ? path.slice(1) : path,
      message,
    }));
    refuse(faults);
  }, [state]);
  const fromServer = refused !== null && refused.value === value ? refused.faults : none;
  const shownOwn = wasTried ? own : own.filter(({ isMissing }) => isMissing !== true);
  const isSaid = (fault: FieldFault) => fromServer.some(({ path }) => path.join("/") === fault.path.join("/"));
  return {
    own,
    isSound: checked !== null && own.length === 0,
    shown: [...fromServer, ...shownOwn.filter((fault) => !isSaid(fault))],
    attempt: () => setTried(true),
  };
}
