// Submits the open graph as a job and opens that job. What the server refuses is shown at its fields.
import { writeJson } from "@atelier/sdk";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { workflows as words } from "#strings/workflows";
import { asFault } from "../../api/fault.ts";
import type { Graph } from "../../api/graphs.ts";
import { metadataIn, submitJob } from "../../api/jobs.ts";
import { isRecord } from "../../api/json-record.ts";
import { labelledAs } from "../../api/labels.ts";
import { toast } from "../../ui/toast.tsx";
import { type Draft, draftKey } from "../../ui/workflow-form/draft.ts";

export const labelsFor = (savedId: string | undefined, labels: string) =>
  savedId === undefined ? metadataIn(labels) : labelledAs(savedId, labels);

export function useRun(savedId: string | undefined, onRan: (jobId: string) => void) {
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
      onRan(id);
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
export function refusedIn(thrown: unknown, draft: Draft, sent: Draft): readonly (readonly [string, string])[] {
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

export function titleOfRefusal(thrown: unknown): string {
  const { status, code } = asFault(thrown);
  if (code === "metadata_invalid") return words.run.labelsRejected;
  if (status === 422) return words.run.graphRejected;
  if (status === 402) return words.run.noCredits;
  return words.run.notSubmitted;
}
