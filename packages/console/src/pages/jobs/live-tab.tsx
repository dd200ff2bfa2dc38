// The job's progress in one view: the newest picture, the graph with what each node does and made, when each ran, the outputs.
import type { Job } from "@atelier/sdk";
import { ImageOff } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { jobs } from "#strings/jobs";
import type { Graph } from "../../api/graphs.ts";
import { isActive } from "../../api/jobs.ts";
import { formatPercent, Progress } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { Skeleton } from "../../ui/states.tsx";
import styles from "./job.module.css";
import { BigOutput, OutputTile } from "./outputs.tsx";
import { TimelineTab } from "./timeline-tab.tsx";
import { type LiveMode, usePreview } from "./use-live-job.ts";
import { lineOf, progressWords, queuedWords } from "./words.ts";

const words = jobs.live;
const GraphTab = lazy(() => import("./graph-tab.tsx").then(({ GraphTab: component }) => ({ default: component })));

export function LiveTab(props: { readonly job: Job; readonly mode: LiveMode; readonly graph: Graph }): ReactNode {
  const { job, mode, graph } = props;
  const preview = usePreview(job.id, mode);
  const last = job.outputs.findLast(({ type }) => type === "image");
  const isGoing = isActive(job);
  return (
    <Stack>
      {isGoing ? <HowFar job={job} /> : null}
      <div className={styles.liveViews}>
        <div className={styles.stage} data-entry={job.id}>
          {last && (!isGoing || preview === null) ? (
            <BigOutput output={last} />
          ) : preview ? (
            <PreviewPicture blob={preview} isOver={!isGoing} />
          ) : (
            <div className={styles.noStage}>
              <ImageOff aria-hidden="true" />
              <p>{isGoing ? words.waiting : noPictureWords(job)}</p>
            </div>
          )}
        </div>
        {Object.keys(graph).length === 0 ? null : (
          <div className={styles.liveGraph}>
            <Suspense fallback={<Skeleton height="22rem" />}>
              <GraphTab job={job} graph={graph} node={undefined} isSmall />
            </Suspense>
          </div>
        )}
      </div>
      {(job.progress?.nodes?.length ?? 0) > 0 ? <TimelineTab job={job} graph={graph} /> : null}
      {job.outputs.length > 0 ? (
        <Panel title={(isGoing ? words.outputsSoFar : words.outputs)(job.outputs.length)}>
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
  if (job.outputs.length > 0) return words.noImages;
  return job.status === "succeeded" ? words.nothing : words.nothingBecause(lineOf(job));
}

function HowFar({ job }: { readonly job: Job }): ReactNode {
  const value = job.progress?.value ?? 0;
  const line = job.status === "queued" ? queuedWords(job) : progressWords(job.progress);
  return (
    <div className={styles.howFar}>
      <div className={styles.howFarWords}>
        <span>{line}</span>
        <strong>{job.status === "queued" ? "" : formatPercent(value)}</strong>
      </div>
      <Progress value={value} label={words.progress} />
      {job.status === "queued" && job.waiting_for === undefined ? <p className={kit.soft}>{words.recorded}</p> : null}
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
      {url === null ? null : <img src={url} alt={words.preview} data-preview />}
      <figcaption className={kit.soft}>{isOver ? words.lastPreview : words.smallPreview}</figcaption>
    </figure>
  );
}
