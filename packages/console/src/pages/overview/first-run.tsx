// Shown when nothing has run yet: one button that ends with a real picture, and the same by hand.

import type { Graph, Job } from "@atelier/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { type ReactNode, useState } from "react";
import { overview } from "#strings/overview";
import { atelier } from "../../api/atelier.ts";
import { call } from "../../api/client.ts";
import { configQuery } from "../../api/config.ts";
import { operations } from "../../api/operations.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import { Progress } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { Picture } from "./now.tsx";
import styles from "./overview.module.css";
import { sampleCurl } from "./snippets.ts";

const words = overview.first;
const sampleModel = "sandbox/image-1";
const { prompt } = words;

// Uses a model of this server if there is one, otherwise the engine alone.
async function sampleGraph(): Promise<Graph> {
  const { data } = await call(operations.listModels, { query: { limit: 100 } }).catch(() => ({ data: [] }));
  const save = { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "sample" } };
  const isThere = data.some(({ id }) => id === sampleModel);
  const first = isThere
    ? {
        class_type: "AtelierModelImage",
        _meta: { title: words.node },
        inputs: { model: sampleModel, prompt, width: 1024, height: 768, seed: Math.floor(Math.random() * 1e9) },
      }
    : { class_type: "EmptyImage", inputs: { width: 1024, height: 768, batch_size: 1, color: 3_104_080 } };
  return { "1": first, "2": save };
}

export function FirstRun(): ReactNode {
  const { data: config } = useQuery(configQuery);
  const [job, setJob] = useState<Job | null>(null);
  const queries = useQueryClient();
  const sample = useMutation({
    mutationFn: async () => {
      const handle = await atelier.jobs.submit(await sampleGraph());
      setJob(handle.current);
      return handle.wait({ onEvent: () => setJob({ ...handle.current }) });
    },
    onSuccess: (ended) => setJob(ended),
  });
  const picture = job?.status === "succeeded" ? job.outputs.find(({ type }) => type === "image") : undefined;
  if (job !== null && picture !== undefined) {
    return (
      <Panel title={words.title}>
        <div className={styles.first}>
          <div className={styles.firstPicture}>
            <Picture id={picture.id} alt={prompt} />
          </div>
          <p className={kit.soft}>{words.text}</p>
          <div className={kit.actions}>
            <Button look="primary" onClick={() => queries.invalidateQueries()}>
              {words.showOverview}
            </Button>
            <LinkButton to="/console/jobs/$jobId" params={{ jobId: job.id }}>
              {words.openJob}
            </LinkButton>
            <LinkButton to="/console/models">{words.tryModel}</LinkButton>
          </div>
        </div>
      </Panel>
    );
  }
  return (
    <Panel>
      <Empty
        icon={Sparkles}
        title={words.none}
        actions={
          <Button look="primary" disabled={sample.isPending} onClick={() => sample.mutate()}>
            <Sparkles aria-hidden="true" />
            {sample.isPending ? words.running : words.run}
          </Button>
        }
      >
        {words.noneText}
      </Empty>
      <div className={styles.firstProgress} role="status">
        {sample.isPending ? <Progress value={job?.progress?.value ?? null} label={words.progress} /> : null}
        {sample.isError ? <FaultNote fault={sample.error} retry={() => sample.mutate()} /> : null}
      </div>
      <div className={styles.byHand}>
        <h3>{words.terminal}</h3>
        <CodeBlock
          wrap
          label={words.curl}
          code={sampleCurl(config?.base_url ?? location.origin, sampleModel, prompt)}
        />
        <p className={kit.soft}>
          <Rich
            text={words.key}
            keys={
              <LinkButton small look="quiet" to="/profile/api-keys">
                {words.keys}
              </LinkButton>
            }
          />
        </p>
      </div>
    </Panel>
  );
}
