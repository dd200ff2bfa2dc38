import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { checksQuery } from "../../api/admin.ts";
import { configQuery } from "../../api/config.ts";
import { Button } from "../../ui/button.tsx";
import { Ago, agoOf, useNow } from "../../ui/figures.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Audit } from "./audit.tsx";
import { BackgroundWork, RefusedCredentials } from "./background.tsx";
import { Checks } from "./checks.tsx";
import styles from "./operate.module.css";
import type { SystemTab } from "./operate-search.ts";
import { ForOperators, useOperating } from "./operator.tsx";
import { Readiness } from "./readiness.tsx";

const route = getRouteApi("/console/system");

const tabs = [
  { name: "checks", label: "Checks" },
  { name: "background", label: "Background work" },
  { name: "refused", label: "Refused credentials" },
  { name: "audit", label: "Audit" },
] as const;

export function SystemPage(): ReactNode {
  const { tab = "checks" } = route.useSearch();
  const navigate = route.useNavigate();
  const { isOperator, why } = useOperating();
  const checks = useQuery({ ...checksQuery, enabled: isOperator === true });
  const choose = (name: SystemTab) => navigate({ search: name === "checks" ? {} : { tab: name } });
  return (
    <>
      <PageHead title="System" lead={<Lead startedAt={checks.data?.started_at} checkedAt={checks.data?.checked_at} />}>
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
          {checks.isFetching ? "Checking…" : "Run checks"}
        </Button>
      </PageHead>
      {isOperator === false ? (
        <div className={styles.tabBody} style={{ paddingTop: 0 }}>
          <ForOperators>{null}</ForOperators>
          <Readiness why={why} />
        </div>
      ) : (
        <Tabs label="Parts of the system" tabs={tabs} chosen={tab} onChoose={choose}>
          <div className={styles.tabBody}>
            <ForOperators>
              {tab === "checks" ? (
                <div className={styles.split}>
                  <Checks checks={checks} />
                  <Readiness why={why} />
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
      Atelier {config?.version}
      {props.startedAt ? (
        <span title={new Date(props.startedAt).toLocaleString()}>
          {" · "}started {agoOf(new Date(props.startedAt).getTime(), now)}
        </span>
      ) : null}
      {props.checkedAt ? (
        <>
          {" · "}checked <Ago at={props.checkedAt} />
        </>
      ) : null}
    </>
  );
}
