// The registry as people use it: find a node, or publish one's own.

import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { nodes as words } from "#strings/nodes";
import { PageHead, Stack } from "../../ui/panel.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { FindNodes } from "./find-nodes.tsx";
import { YourNodes } from "./your-nodes.tsx";

export function NodesPage(): ReactNode {
  const { tab } = useSearch({ from: "/console/nodes" });
  const navigate = useNavigate();
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Tabs
        label={words.title}
        tabs={[
          { name: "registry", label: words.tabs.registry },
          { name: "yours", label: words.tabs.yours },
        ]}
        chosen={tab ?? "registry"}
        onChoose={(name) => navigate({ to: "/console/nodes", search: name === "yours" ? { tab: "yours" } : {} })}
      >
        <div style={{ marginTop: "1rem" }}>
          <Stack>{tab === "yours" ? <YourNodes /> : <FindNodes />}</Stack>
        </div>
      </Tabs>
    </>
  );
}
