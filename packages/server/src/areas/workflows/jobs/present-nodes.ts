// The state of each node of a job, in its wire format. It belongs to the newest attempt: while the job waits for one, or if its
// worker does not report, it is absent. In an ended job no node is running: a node that was started but not completed has
// failed, whether the job failed, was canceled or timed out, and a node that never started stays waiting.
import type { JobNode, NodeCounts, Progress } from "@atelier/contract";
import { decodeNodes, type Job, type NodeEntry, terminalStates } from "../../../capabilities/jobs/index.ts";

export function presentNodes(
  job: Pick<Job, "state" | "attempt">,
  text: string | null,
): Pick<Progress, "nodes" | "node_counts"> {
  if (text === null || job.state === "queued") return {};
  const picture = decodeNodes(text);
  if (picture === null || picture.attempt !== job.attempt) return {};
  const hasEnded = terminalStates.has(job.state);
  const { waiting, running, cached, done, failed } = picture.counts;
  const counts: NodeCounts = hasEnded
    ? { waiting, running: 0, cached, done, failed: failed + running }
    : { waiting, running, cached, done, failed };
  return { nodes: picture.nodes.map((node) => presentNode(node, hasEnded)), node_counts: counts };
}

function presentNode({ nodeId, classType, title, state, share, beganMs, ms }: NodeEntry, hasEnded: boolean): JobNode {
  return {
    node_id: nodeId,
    class_type: classType,
    ...(title === null ? {} : { title }),
    state: hasEnded && state === "running" ? "failed" : state,
    progress: share,
    ...(beganMs === null ? {} : { began_ms: beganMs }),
    ms,
  };
}
