// One model: try it, read its API, see how its calls went.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Columns2 } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { asFault } from "../../api/fault.ts";
import { documentQuery, modelQuery } from "../../api/models.ts";
import { useOwner } from "../../api/owner.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import kit from "../../ui/kit.module.css";
import { PageHead } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import styles from "./model.module.css";
import { BillingChip, kindLooks } from "./model-card.tsx";
import type { tabs } from "./model-search.ts";
import { CatalogFault } from "./models-page.tsx";
import { Playground } from "./playground.tsx";

const ApiTab = lazy(() => import("./api-tab.tsx").then((each) => ({ default: each.ApiTab })));
const RequestsTab = lazy(() => import("./requests-tab.tsx").then((each) => ({ default: each.RequestsTab })));
const HealthTab = lazy(() => import("./health-tab.tsx").then((each) => ({ default: each.HealthTab })));

const labels = [
  { name: "playground", label: "Playground" },
  { name: "api", label: "API" },
  { name: "requests", label: "Requests" },
  { name: "health", label: "Health" },
] as const satisfies readonly { name: (typeof tabs)[number]; label: string }[];

export function ModelPage(): ReactNode {
  const { provider, model } = useParams({ from: "/console/models/$provider/$model" });
  const { tab = "playground" } = useSearch({ from: "/console/models/$provider/$model" });
  const navigate = useNavigate({ from: "/console/models/$provider/$model" });
  const id = `${provider}/${model}`;
  const owner = useOwner();
  const detail = useQuery(modelQuery(id));
  const document = useQuery(documentQuery(id));
  const fault = detail.error ?? document.error;
  const retry = () => {
    void detail.refetch();
    void document.refetch();
  };
  return (
    <>
      <PageHead title={document.data?.title ?? id} lead={document.data?.summary}>
        <LinkButton to="/console/compare" search={{ models: id }}>
          <Columns2 aria-hidden="true" />
          Compare
        </LinkButton>
      </PageHead>
      <div className={styles.facts}>
        <CopyId id={id} short={false} />
        {document.data ? (
          <Chip icon={kindLooks[document.data.kind].icon}>{kindLooks[document.data.kind].word}</Chip>
        ) : null}
        {detail.data ? <BillingChip says={detail.data.billing.charges_on_policy_rejection} /> : null}
      </div>
      {fault ? <ModelFault fault={fault} retry={retry} /> : null}
      {!fault && !(detail.data && document.data) ? <Skeleton height="28rem" /> : null}
      {detail.data && document.data ? (
        <Tabs
          label="About this model"
          tabs={labels}
          chosen={tab}
          onChoose={(next) =>
            void navigate({ search: (now) => ({ ...now, tab: next }), replace: true, resetScroll: false })
          }
        >
          <div className={styles.tabBody}>
            <Suspense fallback={<Skeleton height="28rem" />}>
              {tab !== "playground" ? null : owner === undefined ? (
                <Skeleton height="28rem" />
              ) : (
                <Playground key={`${id} ${owner}`} model={detail.data} document={document.data} owner={owner} />
              )}
              {tab === "api" ? <ApiTab model={detail.data} document={document.data} /> : null}
              {tab === "requests" ? <RequestsTab model={id} /> : null}
              {tab === "health" ? <HealthTab model={id} /> : null}
            </Suspense>
          </div>
        </Tabs>
      ) : null}
    </>
  );
}

function ModelFault({ fault, retry }: { readonly fault: unknown; readonly retry: () => void }): ReactNode {
  if (asFault(fault).status !== 404 || asFault(fault).code === "not_enabled")
    return <CatalogFault fault={fault} retry={retry} />;
  return (
    <FaultNote fault={fault} title="This model is not served" retry={retry}>
      <p className={kit.soft}>It may have been withdrawn, or its provider has no credential here.</p>
      <div>
        <LinkButton to="/console/models" small>
          All models
        </LinkButton>
      </div>
    </FaultNote>
  );
}
