import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { nodes } from "#strings/nodes";
import kit from "../../ui/kit.module.css";
import { Markdown } from "../../ui/markdown/markdown.tsx";
import { Panel } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { type Node, readmeQuery } from "./registry-queries.ts";

const words = nodes.one;

export function NodeReadme({ node, version }: { readonly node: Node; readonly version: string }): ReactNode {
  const { data, error, isPending, refetch } = useQuery(readmeQuery(node.id, version));
  if (error) return <FaultNote fault={error} retry={refetch} />;
  if (isPending) return <Skeleton height="16rem" />;
  return (
    <Panel title={words.readmeOf(data.file, version)}>
      <Markdown source={data.text} codeLabel={words.readmeCode} />
      {data.truncated ? <p className={kit.soft}>{words.readmeCut}</p> : null}
    </Panel>
  );
}
