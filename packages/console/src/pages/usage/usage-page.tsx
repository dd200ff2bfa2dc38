import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { usage as words } from "#strings/usage";
import { alertsQuery } from "../../api/account.ts";
import { callRaw } from "../../api/client.ts";
import { useWhyNot } from "../../api/may.ts";
import { operations } from "../../api/operations.ts";
import { Menu } from "../../ui/menu.tsx";
import { PageHead, Stack } from "../../ui/panel.tsx";
import { RangeChoice } from "../../ui/range/range-choice.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import { saveFile } from "../../ui/viewers/save-file.ts";
import { BudgetsPanel } from "./budgets/budgets-panel.tsx";
import { CreditLines } from "./credit-lines.tsx";
import { OddSpending } from "./odd-spending.tsx";
import { UsageChart } from "./usage-chart.tsx";
import { filtersOf, spanOf, usual } from "./usage-queries.ts";
import type { UsageSearch } from "./usage-search.ts";
import { Balance } from "./usage-tiles.tsx";

const MailLog = lazy(() => import("./mail-log.tsx").then(({ MailLog: component }) => ({ default: component })));

export function UsagePage(): ReactNode {
  const search = useSearch({ from: "/console/usage" });
  const navigate = useNavigate({ from: "/console/usage" });
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <RangeChoice
          search={search}
          otherwise={usual}
          onChoose={(range) =>
            navigate({ search: ({ range: _, from: _from, to: _to, ...rest }) => ({ ...rest, ...range }) })
          }
        />
        <Export search={search} />
      </PageHead>
      <Stack>
        <Balance />
        <UsageChart />
        <BudgetsPanel />
        <OddSpending />
        <Mails />
        <CreditLines />
      </Stack>
    </>
  );
}

// For owners and billing people, on a server that sends mail.
function Mails(): ReactNode {
  const { data } = useQuery(alertsQuery);
  const mayNot = useWhyNot(operations.listMails);
  if (!data?.sends_mail || mayNot !== null) return null;
  return (
    <Suspense>
      <MailLog />
    </Suspense>
  );
}

// Fetched with the credential, which a plain link could not carry; the server names the file.
function Export({ search }: { readonly search: UsageSearch }): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const save = async (format: "csv" | "jsonl") => {
    setBusy(true);
    try {
      const response = await callRaw(operations.exportUsage, {
        query: { ...spanOf(search), ...filtersOf(search), format },
      });
      const name = /filename="?([\w.-]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1];
      saveFile(await response.blob(), name ?? `usage.${format}`);
      toast(words.exported(name ?? format));
    } catch (thrown) {
      toastFault(thrown, words.notExported);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu
      trigger={
        <>
          <Download aria-hidden="true" />
          {isBusy ? words.exporting : words.export}
        </>
      }
      entries={[
        { label: words.csv, onPick: () => save("csv"), disabled: isBusy },
        { label: words.jsonLines, onPick: () => save("jsonl"), disabled: isBusy },
      ]}
    />
  );
}
