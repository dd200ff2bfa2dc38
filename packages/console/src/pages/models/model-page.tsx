// One model: try it, read its API, see how its calls went.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Columns2 } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { models } from "#strings/models";
import { asFault } from "../../api/fault.ts";
import { accountModelsQuery, documentQuery, modelQuery } from "../../api/models.ts";
import { useOwner } from "../../api/owner.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import kit from "../../ui/kit.module.css";
import { PageHead } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { kindLooks } from "./list/kind-looks.ts";
import { BillingChip, NeedsKey } from "./list/model-card.tsx";
import { Price } from "./list/price.tsx";
import styles from "./model.module.css";
import type { tabs } from "./model-search.ts";
import { CatalogFault } from "./models-page.tsx";
import { Playground } from "./playground.tsx";

const words = models.one;

const ApiTab = lazy(() => import("./api-tab.tsx").then((each) => ({ default: each.ApiTab })));
const RequestsTab = lazy(() => import("./requests-tab.tsx").then((each) => ({ default: each.RequestsTab })));
const HealthTab = lazy(() => import("./health-tab.tsx").then((each) => ({ default: each.HealthTab })));

const labels = [
  { name: "playground", label: words.tabs.playground },
  { name: "api", label: words.tabs.api },
  { name: "requests", label: words.tabs.requests },
  { name: "health", label: words.tabs.health },
] as const satisfies readonly { name: (typeof tabs)[number]; label: string }[];

// Keeps the line of the summary free until it is there, so that the page below it does not move.
const spaceForSummary = "\u00a0";

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
      <PageHead
        title={detail.data?.title ?? document.data?.title ?? id}
        lead={document.data?.summary ?? spaceForSummary}
      >
        <LinkButton to="/console/compare" search={{ models: id }}>
          <Columns2 aria-hidden="true" />
          {words.compare}
        </LinkButton>
      </PageHead>
      <div className={styles.facts}>
        <CopyId id={id} short={false} />
        {document.data ? (
          <Chip icon={kindLooks[document.data.kind].icon}>{kindLooks[document.data.kind].word}</Chip>
        ) : null}
        <UnitPrice id={id} />
        {detail.data ? <BillingChip says={detail.data.billing.charges_on_policy_rejection} /> : null}
      </div>
      {fault ? <ModelFault id={id} fault={fault} retry={retry} /> : null}
      {!fault && !(detail.data && document.data) ? <Skeleton height="28rem" /> : null}
      {detail.data && document.data ? (
        <Tabs
          label={words.about}
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

function UnitPrice({ id }: { readonly id: string }): ReactNode {
  const { data } = useQuery(accountModelsQuery);
  const found = data?.data.find((model) => model.id === id);
  return found ? <Price price={found.price} /> : null;
}

function ModelFault(props: { readonly id: string; readonly fault: unknown; readonly retry: () => void }): ReactNode {
  const { fault, retry } = props;
  const { data } = useQuery(accountModelsQuery);
  const locked = data?.locked.find(({ id }) => id === props.id);
  if (asFault(fault).status !== 404 || asFault(fault).code === "not_enabled")
    return <CatalogFault fault={fault} retry={retry} />;
  return (
    <FaultNote fault={fault} title={words.notServed} retry={retry}>
      <p className={kit.soft}>{locked ? words.lockedText : words.notServedText}</p>
      {locked ? <NeedsKey model={locked} /> : null}
      <div>
        <LinkButton to="/console/models" small>
          {words.all}
        </LinkButton>
      </div>
    </FaultNote>
  );
}
