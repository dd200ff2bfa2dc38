// The same job from a shell or a program. The same inputs and seeds give the same picture.
import type { Job } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { jobs as words } from "#strings/jobs";
import { configQuery } from "../../api/config.ts";
import kit from "../../ui/kit.module.css";
import { Stack } from "../../ui/panel.tsx";
import type { Language } from "../../ui/snippets/clients.ts";
import { SnippetTabs } from "../../ui/snippets/snippet-tabs.tsx";
import { jobSnippet } from "./snippets.ts";

export function CodeTab({ job, workflow }: { readonly job: Job; readonly workflow: unknown }): ReactNode {
  const { data: config } = useQuery(configQuery);
  const [language, setLanguage] = useState<Language>("curl");
  if (config === undefined) return null;
  return (
    <Stack>
      <p className={kit.soft}>{words.code.text}</p>
      <SnippetTabs
        label={words.code.language}
        labelOf={words.code.snippet}
        chosen={language}
        onChoose={setLanguage}
        code={jobSnippet(language, job, workflow, config)}
      />
    </Stack>
  );
}
