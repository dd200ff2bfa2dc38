// The form and its examples, kept in this browser while they are made.
import type { WorkForm } from "@atelier/sdk";
import { useEffect, useMemo, useRef, useState } from "react";
import { type Owner, openDrafts } from "../../../api/drafts.ts";
import { isRecord } from "../../../api/json-record.ts";
import type { Example } from "./publishing.ts";

export interface FormDraft {
  readonly form: WorkForm;
  readonly examples: readonly Example[];
}

const pauseMs = 300;

export const draftName = (workflowId: string, version: number): string => `form.${workflowId}.${version}`;

export function useFormDraft(owner: Owner, name: string, proposed: FormDraft) {
  const drafts = useMemo(() => openDrafts(owner), [owner]);
  const [draft, setDraft] = useState<FormDraft>(() => readDraft(drafts.read(name)?.value) ?? proposed);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    const keep = () => void drafts.write(name, draft);
    const timer = setTimeout(keep, pauseMs);
    addEventListener("pagehide", keep);
    return () => {
      clearTimeout(timer);
      removeEventListener("pagehide", keep);
      keep();
    };
  }, [drafts, name, draft]);
  return [draft, setDraft] as const;
}

// Null for what another version of this page kept.
function readDraft(value: unknown): FormDraft | null {
  if (!isRecord(value) || !isRecord(value["form"]) || !Array.isArray(value["examples"])) return null;
  const { inputs, outputs } = value["form"];
  return Array.isArray(inputs) && Array.isArray(outputs) ? (value as unknown as FormDraft) : null;
}
