import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Archive, ChartLine, RefreshCw, SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { system as words } from "#strings/system";
import { checksQuery } from "../../api/admin.ts";
import { configQuery } from "../../api/config.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Ago, formatAgo, useNow } from "../../ui/figures.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { Audit } from "./audit.tsx";
import { BackgroundWork, RefusedCredentials } from "./background.tsx";
import { Backups } from "./backups/backups-panel.tsx";
import { Checks } from "./checks.tsx";
import styles from "./operate.module.css";
import type { SystemTab } from "./operate-search.ts";
import { ForOperators, useOperating } from "./operator.tsx";
import { Readiness } from "./readiness.tsx";

const route = getRouteApi("/console/system");

const tabs = [
  { name: "checks", label: words.tabs.checks },
  { name: "background", label: words.tabs.background },
  { name: "refused", label: words.tabs.refused },
  { name: "audit", label: words.tabs.audit },
] as const;

const parts = [
  { to: "/console/metrics", label: words.parts.metrics, icon: ChartLine },
  { to: "/console/backups", label: words.parts.backups, icon: Archive },
  { to: "/console/settings", label: words.parts.settings, icon: SlidersHorizontal },
] as const;

export function SystemPage(): ReactNode {
  const { tab = "checks" } = route.useSearch();
  const navigate = route.useNavigate();
  const { isOperator, why } = useOperating();
  const checks = useQuery({ ...checksQuery, enabled: isOperator === true });
  const choose = (name: SystemTab) => navigate({ search: name === "checks" ? {} : { tab: name } });
  return (
    <>
      <PageHead
        title={words.title}
        lead={<Lead startedAt={checks.data?.started_at} checkedAt={checks.data?.checked_at} />}
      >
        {parts.map(({ to, label, icon: Icon }) => (
          <LinkButton key={to} to={to} look="quiet">
            <Icon aria-hidden="true" />
            {label}
          </LinkButton>
        ))}
        <Button
          look="primary"
          why={why}
          disabled={checks.isFetching}
          onClick={() => {
            checks.refetch();
            choose("checks");
          }}
        >
          <RefreshCw aria-hidden="true" />
          {checks.isFetching ? words.checking : words.runChecks}
        </Button>
      </PageHead>
      {isOperator === false ? (
        <div className={styles.tabBody} style={{ paddingTop: 0 }}>
          <ForOperators>{null}</ForOperators>
          <Readiness why={why} />
        </div>
      ) : (
        <Tabs label={words.sections} tabs={tabs} chosen={tab} onChoose={choose}>
          <div className={styles.tabBody}>
            <ForOperators>
              {tab === "checks" ? (
                <div className={styles.split}>
                  <Checks checks={checks} />
                  <div className={styles.cards}>
                    <Readiness why={why} />
                    <Backups />
                  </div>
                </div>
              ) : null}
              {tab === "background" ? <BackgroundWork /> : null}
              {tab === "refused" ? <RefusedCredentials /> : null}
              {tab === "audit" ? <Audit /> : null}
            </ForOperators>
          </div>
        </Tabs>
      )}
    </>
  );
}

function Lead(props: { readonly startedAt: string | undefined; readonly checkedAt: string | undefined }): ReactNode {
  const { data: config } = useQuery(configQuery);
  const now = useNow(10_000);
  return (
    <>
      <Rich text={words.version} version={config?.version} />
      {props.startedAt ? (
        <span title={new Date(props.startedAt).toLocaleString()}>
          {" · "}
          <Rich text={words.started} when={formatAgo(new Date(props.startedAt).getTime(), now)} />
        </span>
      ) : null}
      {props.checkedAt ? (
        <>
          {" · "}
          <Rich text={words.checked} when={<Ago at={props.checkedAt} />} />
        </>
      ) : null}
    </>
  );
}
