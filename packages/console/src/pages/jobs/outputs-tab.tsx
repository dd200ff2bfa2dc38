// The job's outputs, by node.
import type { Job } from "@atelier/sdk";
import { Images } from "lucide-react";
import type { ReactNode } from "react";
import { jobs as words } from "#strings/jobs";
import { type Graph, titleOf } from "../../api/graphs.ts";
import { isActive } from "../../api/jobs.ts";
import { Panel, Stack } from "../../ui/panel.tsx";
import { Empty } from "../../ui/states.tsx";
import styles from "./job.module.css";
import { OutputTile } from "./outputs.tsx";

export function OutputsTab({ job, graph }: { readonly job: Job; readonly graph: Graph }): ReactNode {
  const groups = Map.groupBy(job.outputs, ({ node_id }) => node_id);
  if (job.outputs.length === 0)
    return (
      <Empty icon={Images} title={isActive(job) ? words.made.noneYet : words.made.none}>
        <p>{isActive(job) ? words.made.later : words.made.why}</p>
      </Empty>
    );
  return (
    <Stack>
      {Array.from(groups, ([id, outputs]) => (
        <Panel
          key={id}
          title={words.nodeNamed(titleOf(graph[id], words.anyNode), id)}
          actions={<span>{words.outputs(outputs.length)}</span>}
        >
          <ul className={styles.tiles}>
            {outputs.map((output) => (
              <OutputTile key={output.id} output={output} graph={graph} />
            ))}
          </ul>
        </Panel>
      ))}
    </Stack>
  );
}
