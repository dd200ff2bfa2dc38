// Errors from the browser's check and from the server, at the same fields. Missing fields are marked only after a run was tried;
// the server's errors stay until the input changes.
import { useEffect, useEffectEvent, useState } from "react";
import type { FieldFault } from "../../api/fault.ts";
import type { Input, RunState } from "../../api/model-calls/model-run.ts";
import type { Schema } from "./json-schema.ts";

const none: readonly FieldFault[] = [];

export function useChecked(schema: Schema, value: Input, state: RunState) {
  // Null until the check is loaded.
  const [checked, setOwn] = useState<readonly FieldFault[] | null>(null);
  const own = checked ?? none;
  const [wasTried, setTried] = useState(false);
  const [refused, setRefused] = useState<{ readonly value: Input; readonly faults: readonly FieldFault[] } | null>(
    null,
  );
  useEffect(() => {
    let isCurrent = true;
    void import("./check-value.ts").then(({ checkValue }) => {
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
