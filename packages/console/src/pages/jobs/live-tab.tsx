// The job's progress: the newest picture, large; how far it is; the outputs so far.
import type { Job } from "@atelier/sdk";
import { ImageOff } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { Graph } from "../../api/graphs.ts";
import { isActive } from "../../api/jobs.ts";
import { Progress, percentOf } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import styles from "./job.module.css";
import { BigOutput, OutputTile } from "./outputs.tsx";
import { type LiveMode, usePreview } from "./use-live-job.ts";
import { lineOf, progressWords, queuedWords } from "./words.ts";

export function LiveTab(props: { readonly job: Job; readonly mode: LiveMode; readonly graph: Graph }): ReactNode {
  const { job, mode, graph } = props;
  const preview = usePreview(job.id, mode);
  const last = job.outputs.findLast(({ type }) => type === "image");
  const isGoing = isActive(job);
  return (
    <Stack>
      {isGoing ? <HowFar job={job} /> : null}
      <div className={styles.stage}>
        {last && (!isGoing || preview === null) ? (
          <BigOutput output={last} />
        ) : preview ? (
          <PreviewPicture blob={preview} isOver={!isGoing} />
        ) : (
          <div className={styles.noStage}>
            <ImageOff aria-hidden="true" />
            <p>{isGoing ? "Pictures appear here while nodes make them." : noPictureWords(job)}</p>
          </div>
        )}
      </div>
      {job.outputs.length > 0 ? (
        <Panel title={`Made ${isGoing ? "so far" : "in all"}: ${job.outputs.length}`}>
          <ul className={styles.tiles}>
            {job.outputs.slice(0, 60).map((output) => (
              <OutputTile key={output.id} output={output} graph={graph} />
            ))}
          </ul>
        </Panel>
      ) : null}
    </Stack>
  );
}

function noPictureWords(job: Job): string {
  if (job.outputs.length > 0) return "This job made no picture; what it made is below.";
  return job.status === "succeeded" ? "This job made nothing to look at." : `Nothing to look at. ${lineOf(job)}`;
}

function HowFar({ job }: { readonly job: Job }): ReactNode {
  const value = job.progress?.value ?? 0;
  const words = job.status === "queued" ? queuedWords(job) : progressWords(job.progress);
  return (
    <div className={styles.howFar}>
      <div className={styles.howFarWords}>
        <span>{words}</span>
        <strong>{job.status === "queued" ? "" : percentOf(value)}</strong>
      </div>
      <Progress value={value} label="Progress of the job" />
      {job.status === "queued" && job.waiting_for === undefined ? (
        <p className={kit.soft}>It is recorded and will run, also when this page is closed.</p>
      ) : null}
    </div>
  );
}

function PreviewPicture({ blob, isOver }: { readonly blob: Blob; readonly isOver: boolean }): ReactNode {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return (
    <figure>
      {url === null ? null : <img src={url} alt="Newest preview of the job" data-preview />}
      <figcaption className={kit.soft}>{isOver ? "The last preview" : "Preview, smaller than what comes"}</figcaption>
    </figure>
  );
}
