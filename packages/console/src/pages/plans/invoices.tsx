// The workspace's invoices, for owners and people with the role billing.
import type { Invoice } from "@atelier/sdk";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Download, ReceiptText } from "lucide-react";
import { type ReactNode, useState } from "react";
import { plans } from "#strings/plans";
import { callRaw } from "../../api/client.ts";
import { useWhyNot } from "../../api/may.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { toastFault } from "../../ui/toast.tsx";
import { saveFile } from "../../ui/viewers/save-file.ts";
import { formatMoney } from "./money.ts";
import { Pages } from "./pages.tsx";
import { invoicesQuery } from "./plan-queries.ts";

const words = plans.invoices;

export function Invoices(): ReactNode {
  const why = useWhyNot(operations.listInvoices);
  const [cursor, setCursor] = useState<string>();
  const { data, error, refetch } = useQuery({
    ...invoicesQuery(cursor),
    placeholderData: keepPreviousData,
    enabled: why === null,
  });
  if (why !== null) {
    return (
      <Panel title={words.title}>
        <p className={kit.soft}>{words.notYours}</p>
      </Panel>
    );
  }
  if (data === undefined) return <Pending fault={error} retry={refetch} height="9rem" />;
  return (
    <Panel title={words.title} flush>
      {data.data.length === 0 ? (
        <Empty icon={ReceiptText} title={words.none}>
          {words.noneText}
        </Empty>
      ) : (
        <Table label={words.title} columns={columns} rows={data.data} keyOf={({ id }) => id} />
      )}
      <Pages isFirst={cursor === undefined} next={data.next_cursor} onTurn={setCursor} />
    </Panel>
  );
}

const columns: readonly Column<Invoice>[] = [
  { name: "paid", head: words.paid, cell: ({ paid_at }) => <Ago at={paid_at} /> },
  { name: "number", head: words.number, cell: ({ number }) => number ?? "–" },
  { name: "plan", head: words.plan, cell: ({ plan }) => plan ?? "–" },
  { name: "credits", head: words.credits, align: "end", cell: ({ credits }) => Number(credits).toLocaleString() },
  {
    name: "total",
    head: words.total,
    align: "end",
    cell: ({ total_minor, refunded_minor, currency }) => (
      <>
        {formatMoney(total_minor, currency)}
        {refunded_minor === 0 ? null : (
          <div className={kit.soft}>{words.refunded(formatMoney(refunded_minor, currency))}</div>
        )}
      </>
    ),
  },
  { name: "pdf", head: words.file, align: "end", cell: (invoice) => <AsPdf of={invoice} /> },
];

// Fetched with the credential, which a plain link could not carry.
function AsPdf({ of: { id, number } }: { readonly of: Invoice }): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const response = await callRaw(operations.getInvoicePdf, { params: { invoiceId: id } });
      saveFile(await response.blob(), `invoice-${number ?? id}.pdf`);
    } catch (thrown) {
      toastFault(thrown, words.notDownloaded);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button small disabled={isBusy} onClick={() => void save()} aria-label={words.downloadNamed(number ?? id)}>
      <Download aria-hidden="true" />
      {words.download}
    </Button>
  );
}
