// One workspace: credits, limits, and the models it may run.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { workspaces as words } from "#strings/workspaces";
import { workspaceQuery } from "../../api/admin.ts";
import { LinkButton } from "../../ui/button.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./operate.module.css";
import { Credits } from "./workspace-credits.tsx";
import { Limits } from "./workspace-limits.tsx";
import { Models } from "./workspace-models.tsx";

const route = getRouteApi("/console/workspaces");

const tabs = [
  { name: "credits", label: words.tabs.credits },
  { name: "limits", label: words.tabs.limits },
  { name: "models", label: words.tabs.models },
] as const;

export function OneWorkspace({ id }: { readonly id: string }): ReactNode {
  const { tab = "credits" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(workspaceQuery(id));
  const back = (
    <LinkButton small look="quiet" to="/console/workspaces" search={{}}>
      <ArrowLeft aria-hidden="true" />
      {words.all}
    </LinkButton>
  );
  if (data === undefined)
    return error ? (
      <FaultNote fault={error} retry={refetch}>
        {back}
      </FaultNote>
    ) : (
      <Skeleton height="22rem" />
    );
  return (
    <>
      <div className={styles.item} style={{ padding: "0 0 1rem", border: 0 }}>
        <div className={styles.who}>
          <h2>{data.name}</h2>
          <span className={kit.soft}>
            <CopyId id={data.id} /> <Rich text={words.createdAt} when={<Ago at={data.created_at} />} />
          </span>
        </div>
        {back}
      </div>
      <Tabs
        label={words.sections}
        tabs={tabs}
        chosen={tab}
        onChoose={(name) => navigate({ search: name === "credits" ? { workspace: id } : { workspace: id, tab: name } })}
      >
        <div className={styles.tabBody}>
          {tab === "credits" ? <Credits workspace={data} /> : null}
          {tab === "limits" ? <Limits workspace={data} /> : null}
          {tab === "models" ? <Models workspace={data} /> : null}
        </div>
      </Tabs>
    </>
  );
}
