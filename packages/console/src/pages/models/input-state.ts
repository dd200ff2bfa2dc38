// The playground's input. Form, JSON and code are views of it. It comes from a link, from the last visit, or from the model's
// examples, and is stored in this browser as the person's draft in this workspace, without anything that looks secret and
// without whole files.
import { parseJson, writeJson } from "@atelier/sdk";
import { useEffect, useMemo, useState } from "react";
import { models as words } from "#strings/models";
import { type Drafts, type Owner, openDrafts } from "../../api/drafts.ts";
import { isRecord } from "../../api/json-record.ts";
import type { Input } from "../../api/model-calls/model-run.ts";
import { withoutPrivate } from "../../api/model-calls/without-private.ts";
import { firstInput } from "../../ui/schema-form/first-input.ts";
import type { Schema } from "../../ui/schema-form/json-schema.ts";
import { prettyJson } from "../../ui/snippets/literals.ts";
import { inputLink, linkedInput } from "../../ui/work-form/input-link.ts";

export interface InputState {
  readonly value: Input;
  // The text of the JSON view: as typed, for as long as it means the same value.
  readonly text: string;
  readonly problem: string | null;
  readonly setValue: (value: unknown) => void;
  readonly setText: (text: string) => void;
}

export function useInput(model: string, schema: Schema, owner: Owner): InputState {
  const drafts = useMemo(() => openDrafts(owner), [owner]);
  const name = `input.${model}`;
  const [state, setState] = useState(() => {
    const value = linkedInput(location.hash) ?? lastInput(drafts, name) ?? firstInput(schema);
    return { value, text: prettyJson(value), problem: null as string | null };
  });
  const { value } = state;
  useEffect(() => {
    const timer = setTimeout(() => remember(drafts, name, value), 400);
    return () => clearTimeout(timer);
  }, [drafts, name, value]);
  return useMemo(
    () => ({
      ...state,
      setValue: (next) => {
        const record = isRecord(next) ? next : {};
        setState({ value: record, text: prettyJson(record), problem: null });
      },
      setText: (text) =>
        setState((now) => {
          const read = readObject(text);
          return typeof read === "string" ? { ...now, text, problem: read } : { value: read, text, problem: null };
        }),
    }),
    [state],
  );
}

export function readObject(text: string): Input | string {
  try {
    const value = parseJson(text);
    return isRecord(value) ? value : words.input.notObject;
  } catch (thrown) {
    return words.input.notJson(thrown instanceof Error ? thrown.message : words.input.unreadable);
  }
}

const keptCharactersMax = 50_000;

function remember(drafts: Drafts, name: string, value: Input): void {
  const kept = withoutPrivate(value);
  if (writeJson(kept).length > keptCharactersMax || !drafts.write(name, kept)) drafts.remove(name);
}

function lastInput(drafts: Drafts, name: string): Input | null {
  const kept = drafts.read(name)?.value;
  return isRecord(kept) ? kept : null;
}

export function shareLink(value: Input): string | null {
  const fragment = inputLink(withoutPrivate(value));
  return fragment === null ? null : `${location.origin}${location.pathname}#${fragment}`;
}
