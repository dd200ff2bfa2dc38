// The job's outputs, by node.
import type { Job } from "@atelier/sdk";
import { Images } from "lucide-react";
import type { ReactNode } from "react";
import { type Graph, titleOf } from "../../api/graphs.ts";
import { isActive } from "../../api/jobs.ts";
import { Panel, Stack } from "../../ui/panel.tsx";
import { Empty } from "../../ui/states.tsx";
import styles from "./job.module.css";
import { OutputTile } from "./outputs.tsx";
import { countOf } from "./words.ts";

export function OutputsTab({ job, graph }: { readonly job: Job; readonly graph: Graph }): ReactNode {
  const groups = Map.groupBy(job.outputs, ({ node_id }) => node_id);
  if (job.outputs.length === 0)
    return (
      <Empty icon={Images} title={isActive(job) ? "Nothing yet" : "It made nothing"}>
        <p>
          {isActive(job)
            ? "Outputs appear the moment a node has saved them."
            : "Only nodes that save something make outputs, such as SaveImage."}
        </p>
      </Empty>
    );
  return (
    <Stack>
      {Array.from(groups, ([id, outputs]) => (
        <Panel
          key={id}
          title={`${titleOf(graph[id], "Node")} · node ${id}`}
          actions={<span>{countOf(outputs.length, "output")}</span>}
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
