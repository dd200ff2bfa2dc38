import { Check, Copy } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { shared } from "#strings/shared";
import { ui as words } from "#strings/ui";
import { IconButton } from "./button.tsx";
import kit from "./kit.module.css";
import { Scrollable } from "./scrollable.tsx";

export function CopyButton({
  text,
  label = shared.copy,
}: {
  readonly text: string;
  readonly label?: string;
}): ReactNode {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), 1_500);
    return () => clearTimeout(timer);
  }, [isDone]);
  return (
    <IconButton
      small
      label={isDone ? shared.copied : label}
      onClick={async (event) => {
        event.stopPropagation();
        event.preventDefault();
        await copyText(text);
        setDone(true);
      }}
    >
      {isDone ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
    </IconButton>
  );
}

// The clipboard API exists on https and loopback only; elsewhere we copy from a selected field.
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (done) return;
  }
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

// A shortened id with its copy button; the full id on hover.
export function CopyId({ id, short = true }: { readonly id: string; readonly short?: boolean }): ReactNode {
  const shown = short && id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
  return (
    <span className={kit.copyable}>
      <code title={id}>{shown}</code>
      <CopyButton text={id} label={words.copyId(id)} />
    </span>
  );
}

export function CodeBlock(props: {
  readonly code: string;
  readonly wrap?: boolean;
  readonly label?: string;
}): ReactNode {
  return (
    <div className={kit.codeBlock}>
      <Scrollable as="figure" label={props.label ?? words.code} className={kit.codeScroll}>
        <pre data-wrap={props.wrap ?? false}>
          <code>{props.code}</code>
        </pre>
      </Scrollable>
      <div className={kit.codeCopy}>
        <CopyButton text={props.code} label={words.copyCode} />
      </div>
    </div>
  );
}
