// The same job from a shell or a program. The same inputs and seeds give the same picture.
import type { Job } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { configQuery } from "../../api/config.ts";
import { CodeBlock } from "../../ui/copy.tsx";
import kit from "../../ui/kit.module.css";
import { Stack } from "../../ui/panel.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { type Snippet, snippetsOf } from "./snippets.ts";

export function CodeTab({ job, workflow }: { readonly job: Job; readonly workflow: unknown }): ReactNode {
  const { data: config } = useQuery(configQuery);
  const [name, setName] = useState<Snippet["name"]>("cli");
  if (config === undefined) return null;
  const snippets = snippetsOf(job, workflow, config);
  const chosen = snippets.find((snippet) => snippet.name === name);
  return (
    <Stack>
      <p className={kit.soft}>Submits this graph again, follows it, and saves what it makes.</p>
      <Tabs
        label="Language"
        tabs={snippets.map((snippet) => ({ name: snippet.name, label: snippet.label }))}
        chosen={name}
        onChoose={setName}
      >
        <div style={{ paddingTop: "0.8rem" }}>
          <CodeBlock code={chosen?.code ?? ""} label={`This job with ${chosen?.label}`} />
        </div>
      </Tabs>
    </Stack>
  );
}
