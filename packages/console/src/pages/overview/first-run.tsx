// Shown when nothing has run yet: one button that ends with a real picture, and the same by hand.

import type { Graph, Job } from "@atelier/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Sparkles } from "lucide-react";
import { type ReactNode, useState } from "react";
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
import { Picture } from "./now.tsx";
import styles from "./overview.module.css";

const sampleModel = "sandbox/image-1";
const prompt = "a small lighthouse on a green hill, morning light";

// Uses a model of this server if there is one, otherwise the engine alone.
async function sampleGraph(): Promise<Graph> {
  const { data } = await call(operations.listModels, { query: { limit: 100 } }).catch(() => ({ data: [] }));
  const save = { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "sample" } };
  const isThere = data.some(({ id }) => id === sampleModel);
  const first = isThere
    ? {
        class_type: "AtelierModelImage",
        _meta: { title: "The picture" },
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
      <Panel title="Your first picture">
        <div className={styles.first}>
          <div className={styles.firstPicture}>
            <Picture id={picture.id} alt={prompt} />
          </div>
          <p className={kit.soft}>
            Made by a job of two nodes. It is in the gallery now, and its request and its cost are counted here.
          </p>
          <div className={kit.actions}>
            <Button look="primary" onClick={() => queries.invalidateQueries()}>
              Show the overview
            </Button>
            <LinkButton to="/console/jobs/$jobId" params={{ jobId: job.id }}>
              Open the job
            </LinkButton>
            <LinkButton to="/console/models">Try a model</LinkButton>
          </div>
        </div>
      </Panel>
    );
  }
  return (
    <Panel>
      <Empty
        icon={Sparkles}
        title="Nothing has run yet."
        actions={
          <Button look="primary" disabled={sample.isPending} onClick={() => sample.mutate()}>
            <Sparkles aria-hidden="true" />
            {sample.isPending ? "Running…" : "Run a sample"}
          </Button>
        }
      >
        A sample takes a few seconds, costs nothing, and ends with a picture.
      </Empty>
      <div className={styles.firstProgress} role="status">
        {sample.isPending ? <Progress value={job?.progress?.value ?? null} label="The sample's progress" /> : null}
        {sample.isError ? <FaultNote fault={sample.error} retry={() => sample.mutate()} /> : null}
      </div>
      <div className={styles.byHand}>
        <h3>Or from a terminal</h3>
        <CodeBlock wrap label="The same with curl" code={curlOf(config?.base_url ?? location.origin)} />
        <p className={kit.soft}>
          With a key from{" "}
          <LinkButton small look="quiet" to="/profile/api-keys">
            API keys
          </LinkButton>
        </p>
      </div>
    </Panel>
  );
}

function curlOf(base: string): string {
  const body = JSON.stringify({ prompt });
  return `curl ${base}/v1/models/${sampleModel} \\\n  -H "Authorization: Bearer $ATELIER_API_KEY" \\\n  -H 'Content-Type: application/json' -d '${body}'`;
}
