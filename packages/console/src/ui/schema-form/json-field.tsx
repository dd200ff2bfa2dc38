// A JSON field, for anything that no other field covers.

import { parseJson, writeJson } from "@atelier/sdk";
import { type ReactNode, useEffect, useState } from "react";
import { uiForms as words } from "#strings/ui/forms";
import { TextArea } from "../fields.tsx";
import { aboutOf, type FieldProps } from "./field-props.ts";

export function JsonInput(props: FieldProps): ReactNode {
  const { preset: _preset, placeholder: _none, ...about } = aboutOf(props);
  const { value, onChange } = props;
  const [text, setText] = useState(() => jsonOf(value));
  useEffect(() => {
    setText((shown) => (jsonOf(read(shown)?.value) === jsonOf(value) ? shown : jsonOf(value)));
  }, [value]);
  const isRead = read(text) !== null;
  return (
    <TextArea
      {...about}
      wrong={isRead ? about.wrong : words.notJson}
      rows={3}
      spellCheck={false}
      placeholder="JSON"
      style={{ fontFamily: "var(--mono)", fontSize: "0.88em" }}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        const next = read(event.target.value);
        if (next !== null) onChange(next.value);
      }}
    />
  );
}

const jsonOf = (value: unknown): string => (value === undefined ? "" : writeJson(value));

function read(text: string): { readonly value: unknown } | null {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: parseJson(text) };
  } catch {
    return null;
  }
}
