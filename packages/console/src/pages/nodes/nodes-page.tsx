// The registry as people use it: find a node, publish one's own, or, as an operator, decide about what was flagged.

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { nodes as words } from "#strings/nodes";
import { accountQuery } from "../../api/account.ts";
import { PageHead, Stack } from "../../ui/panel.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { FindNodes } from "./find-nodes.tsx";
import { YourNodes } from "./your-nodes.tsx";

const ReviewQueue = lazy(() => import("./review-queue.tsx").then((module) => ({ default: module.ReviewQueue })));

export function NodesPage(): ReactNode {
  const { tab } = useSearch({ from: "/console/nodes" });
  const navigate = useNavigate();
  const { data: account } = useQuery(accountQuery);
  const isOperator = account?.is_operator === true;
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Tabs
        label={words.title}
        tabs={[
          { name: "registry", label: words.tabs.registry },
          { name: "yours", label: words.tabs.yours },
          ...(isOperator ? [{ name: "review", label: words.tabs.review } as const] : []),
        ]}
        chosen={tab === "review" && !isOperator ? "registry" : (tab ?? "registry")}
        onChoose={(name) => navigate({ to: "/console/nodes", search: name === "registry" ? {} : { tab: name } })}
      >
        <div style={{ marginTop: "1rem" }}>
          <Stack>
            {tab === "yours" ? <YourNodes /> : null}
            {tab === "review" && isOperator ? (
              <Suspense fallback={<Skeleton height="10rem" />}>
                <ReviewQueue />
              </Suspense>
            ) : null}
            {tab === undefined || (tab === "review" && account && !isOperator) ? <FindNodes /> : null}
          </Stack>
        </div>
      </Tabs>
    </>
  );
}
