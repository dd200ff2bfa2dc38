// Pauses and resumes the workspace's queue, and says so while it is paused.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import type { ReactNode } from "react";
import { jobs } from "#strings/jobs";
import { call } from "../../api/client.ts";
import { configQuery } from "../../api/config.ts";
import { queueQuery } from "../../api/jobs.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { Ago } from "../../ui/figures.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./jobs.module.css";

const words = jobs.queue;

function useQueue() {
  const { data: config } = useQuery(configQuery);
  const hasQueue = config !== undefined && config.surface !== "self_hosted";
  const { data: queue } = useQuery({ ...queueQuery, enabled: hasQueue });
  const client = useQueryClient();
  const set = useChange({
    change: (paused: boolean) => call(operations.setAccountQueue, { json: { paused } }),
    said: (now) => (now.paused ? words.isPaused : words.isResumed),
    after: (now) => void client.setQueryData(queueQuery.queryKey, now),
    failed: words.notChanged,
  });
  return { queue, set };
}

export function QueueButton(): ReactNode {
  const { queue, set } = useQueue();
  if (queue === undefined) return null;
  return (
    <Button does={operations.setAccountQueue} disabled={set.isPending} onClick={() => set.mutate(!queue.paused)}>
      {queue.paused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
      {queue.paused ? words.resume : words.pause}
    </Button>
  );
}

export function PausedNote(): ReactNode {
  const { queue } = useQueue();
  if (queue?.paused !== true) return null;
  return (
    <div className={styles.paused} role="status">
      <Pause aria-hidden="true" />
      <p>
        <strong>
          <Rich text={words.pausedSince} ago={<Ago at={queue.paused_at} />} />
        </strong>{" "}
        {words.pausedText(jobs.jobs(queue.queued))}
      </p>
    </div>
  );
}
