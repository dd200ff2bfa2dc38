// The workspace's plan, what it can buy, and its invoices; for operators, what is sold and what was paid.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { plans as words } from "#strings/plans";
import { accountQuery } from "../../api/account.ts";
import { mayCall } from "../../api/may.ts";
import { operations } from "../../api/operations.ts";
import { PageHead, Stack } from "../../ui/panel.tsx";
import { Pending, Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Invoices } from "./invoices.tsx";
import styles from "./plans.module.css";
import { YourPlan } from "./your-plan.tsx";

const Sales = lazy(() => import("./sales.tsx").then((each) => ({ default: each.Sales })));

const tabs = [
  { name: "yours", label: words.tabs.yours },
  { name: "sales", label: words.tabs.sales },
] as const;

export function PlansPage(): ReactNode {
  const { data: account, error, refetch } = useQuery(accountQuery);
  const { tab = "yours" } = useSearch({ from: "/console/plans" });
  const navigate = useNavigate({ from: "/console/plans" });
  const sells = account !== undefined && mayCall(account, operations.listPayments);
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      {account === undefined ? (
        <Pending fault={error} retry={refetch} height="16rem" />
      ) : sells ? (
        <Tabs
          label={words.title}
          tabs={tabs}
          chosen={tab}
          onChoose={(name) => navigate({ search: name === "sales" ? { tab: "sales" } : {} })}
        >
          <div className={styles.under}>
            {tab === "sales" ? (
              <Suspense fallback={<Skeleton height="16rem" />}>
                <Sales />
              </Suspense>
            ) : (
              <Yours />
            )}
          </div>
        </Tabs>
      ) : (
        <Yours />
      )}
    </>
  );
}

function Yours(): ReactNode {
  return (
    <Stack>
      <YourPlan />
      <Invoices />
    </Stack>
  );
}
