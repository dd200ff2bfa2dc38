// What the workspace, its keys, tags and end users may spend in a period, how far each has come, and the alerts on the way.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { budgets as words } from "#strings/usage/budgets";
import { accountQuery, isForMoney, keysQuery } from "../../../api/account.ts";
import { call } from "../../../api/client.ts";
import { operations } from "../../../api/operations.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Confirm } from "../../../ui/dialog.tsx";
import { Ago, formatCredits } from "../../../ui/figures.tsx";
import { Heading } from "../../../ui/heading.tsx";
import kit from "../../../ui/kit.module.css";
import { CreditMeter } from "../../../ui/meter.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../../ui/states.tsx";
import { toast, toastFault } from "../../../ui/toast.tsx";
import { BudgetDialog } from "./budget-dialog.tsx";
import { budgetQuery, budgetsQuery, type ListedBudget } from "./budget-queries.ts";
import styles from "./budgets.module.css";

export function BudgetsPanel(): ReactNode {
  const [edited, setEdited] = useState<ListedBudget | "new" | null>(null);
  const { data, error, refetch } = useQuery({ ...budgetsQuery, refetchInterval: 15_000 });
  const { data: account } = useQuery(accountQuery);
  const why = isForMoney(account) ? null : words.ownersOnly;
  return (
    <>
      <Panel
        title={words.title}
        flush
        actions={
          <Button does={operations.putBudget} small why={why} onClick={() => setEdited("new")}>
            <Plus aria-hidden="true" />
            {words.newBudget}
          </Button>
        }
      >
        <p className={styles.note}>{data?.length === 0 ? words.none : words.lead}</p>
        {error && data === undefined ? <FaultNote fault={error} retry={refetch} /> : null}
        {data === undefined && !error ? <Skeleton height="4rem" /> : null}
        <ul className={styles.list}>
          {data?.map((budget) => (
            <BudgetRow key={budget.name} of={budget} why={why} onEdit={() => setEdited(budget)} />
          ))}
        </ul>
      </Panel>
      <BudgetDialog edited={edited} onClose={() => setEdited(null)} />
    </>
  );
}

function BudgetRow(props: { readonly of: ListedBudget; readonly why: string | null; readonly onEdit: () => void }) {
  const { of, why } = props;
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call(operations.deleteBudget, { params: { name: of.name } }),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: budgetsQuery.queryKey });
      toast(words.removed(of.name));
    },
    onError: (thrown) => toastFault(thrown, words.notRemoved),
    onSettled: () => setAsking(false),
  });
  const used = of.at_limit === "stop" ? sumOf(of.spent, of.held) : of.spent;
  return (
    <li className={styles.row} data-budget={of.name}>
      <div className={styles.about}>
        <Heading>{of.name}</Heading>
        <div className={styles.line}>
          <Subject of={of} />
          <Chip>{of.at_limit === "stop" ? words.stops : words.warns}</Chip>
          {of.alerted === 0 ? null : (
            <Chip tone={of.alerted === 100 ? "bad" : "warn"}>{words.reached(of.alerted)}</Chip>
          )}
        </div>
      </div>
      <div className={styles.spent}>
        <CreditMeter label={words.spentIn[of.period]} spent={used} max={of.amount} />
        {Number(of.held) > 0 ? <span className={kit.hint}>{words.heldPart(formatCredits(of.held))}</span> : null}
      </div>
      <Alerts of={of} />
      <div className={styles.acts}>
        <Button
          does={operations.putBudget}
          small
          why={why}
          aria-label={words.editNamed(of.name)}
          onClick={props.onEdit}
        >
          {words.edit}
        </Button>
        <Button
          does={operations.deleteBudget}
          small
          look="danger"
          why={why}
          aria-label={words.removeNamed(of.name)}
          onClick={() => setAsking(true)}
        >
          {words.remove}
        </Button>
      </div>
      <Confirm
        title={words.removeTitle(of.name)}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate()}
        action={words.remove}
        isBusy={remove.isPending}
      >
        {words.removeText}
      </Confirm>
    </li>
  );
}

function Subject({ of }: { readonly of: ListedBudget }): ReactNode {
  const { data: keys } = useQuery({ ...keysQuery, staleTime: 60_000, enabled: of.scope === "key" });
  if (of.scope === "workspace") return <Chip>{words.scopes.workspace}</Chip>;
  const name = of.scope === "key" ? keys?.find(({ id }) => id === of.subject)?.name : of.subject;
  return (
    <>
      <Chip>{words.scopes[of.scope]}</Chip>
      <code className={styles.subject}>{name ?? of.subject}</code>
    </>
  );
}

// The list does not carry the alerts, so only a budget that has some asks for them.
function Alerts({ of }: { readonly of: ListedBudget }): ReactNode {
  const { data } = useQuery({ ...budgetQuery(of.name), enabled: of.alerted > 0, refetchInterval: 15_000 });
  return (
    <div className={styles.alerts}>
      {of.webhook_url === null && of.emails.length === 0 ? (
        <span className={kit.hint}>{words.alertsNowhere}</span>
      ) : null}
      {of.webhook_url === null ? null : (
        <span className={kit.hint}>
          {words.alertsTo} <code>{of.webhook_url}</code>
        </span>
      )}
      {of.emails.length === 0 ? null : <span className={kit.hint}>{words.mailedTo(of.emails.join(", "))}</span>}
      {data === undefined || data.alerts.length === 0 ? null : (
        <ul aria-label={words.lastAlerts}>
          {data.alerts.slice(0, 3).map((alert) => (
            <li key={alert.sequence}>
              {words.alertLine(alert.threshold, formatCredits(alert.spent), formatCredits(alert.amount))}{" "}
              <span className={kit.soft}>
                <Ago at={alert.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

// Only for the bar: the server decides with exact amounts.
const sumOf = (one: string, other: string) => (Number(one) + Number(other)).toFixed(6);
