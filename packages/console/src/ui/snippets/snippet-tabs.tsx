// The same snippet in several languages, each with what it needs to run where it is pasted.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { uiViewers } from "#strings/ui/viewers";
import { configQuery } from "../../api/config.ts";
import { CodeBlock } from "../copy.tsx";
import kit from "../kit.module.css";
import { Stack } from "../panel.tsx";
import { Tabs } from "../tabs.tsx";
import { Rich } from "../text/rich.tsx";
import { baseOf, cliInstall, type Language, languages, sdkInstall } from "./clients.ts";

const words = uiViewers.snippets;

export function SnippetTabs<Shown extends Language>(props: {
  readonly label: string;
  // The accessible name of the code: "This job with curl".
  readonly labelOf: (language: string) => string;
  readonly shown?: readonly Shown[];
  readonly chosen: Shown;
  readonly onChoose: (language: Shown) => void;
  readonly code: string;
  readonly wrap?: boolean;
}): ReactNode {
  const { data: config } = useQuery(configQuery);
  const base = baseOf(config?.base_url ?? location.origin);
  const tabs = languages.flatMap(({ name, label }) =>
    props.shown && !props.shown.includes(name as Shown) ? [] : [{ name: name as Shown, label }],
  );
  const label = tabs.find(({ name }) => name === props.chosen)?.label ?? "";
  return (
    <Tabs label={props.label} tabs={tabs} chosen={props.chosen} onChoose={props.onChoose}>
      <div style={{ paddingTop: "0.8rem" }}>
        <Stack>
          {props.chosen === "typescript" ? <InstallSdk base={base} /> : null}
          <CodeBlock code={props.code} label={props.labelOf(label)} wrap={props.wrap ?? false} />
          {props.chosen === "cli" ? <CommandHint base={base} /> : null}
        </Stack>
      </div>
    </Tabs>
  );
}

export function InstallSdk({ base }: { readonly base: string }): ReactNode {
  return (
    <div>
      <p className={kit.hint}>{words.install}</p>
      <CodeBlock code={sdkInstall(base)} label={words.installLabel} wrap />
    </div>
  );
}

// For commands written as `atelier …`.
export function CommandHint({ base }: { readonly base: string }): ReactNode {
  return (
    <p className={kit.hint}>
      <Rich
        text={words.command}
        atelier={<code>atelier</code>}
        install={<code>{cliInstall(base)}</code>}
        local={<code>./atelier</code>}
      />
    </p>
  );
}
