// For operators: the plans that are sold, the payments, and what the payment provider said.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus, Tag, Wallet, Webhook } from "lucide-react";
import { type ReactNode, useState } from "react";
import { plans } from "#strings/plans";
import type { Payment, PaymentEvent, Plan } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { useField } from "../../ui/calls/use-draft.ts";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, TextField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Panel, Stack } from "../../ui/panel.tsx";
import { Empty, FaultNote, Pending } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { formatMoney } from "./money.ts";
import { Pages } from "./pages.tsx";
import { PlanForm } from "./plan-form.tsx";
import { eventsQuery, paymentsQuery, plansKey, soldQuery } from "./plan-queries.ts";
import styles from "./plans.module.css";

const words = plans.sales;

export function Sales(): ReactNode {
  return (
    <Stack>
      <Plans />
      <Payments />
      <Events />
    </Stack>
  );
}

function Plans(): ReactNode {
  const { data, error, refetch } = useQuery(soldQuery);
  const [edited, setEdited] = useState<Plan | "new" | null>(null);
  const retire = useChange({
    change: ({ id, is_retired }: Plan) =>
      call(operations.changePlan, { params: { planId: id }, json: { is_retired: !is_retired } }),
    stale: [plansKey],
  });
  if (data === undefined) return <Pending fault={error} retry={refetch} height="9rem" />;
  const create = (
    <Button does={operations.createPlan} look="primary" small={data.length > 0} onClick={() => setEdited("new")}>
      <Plus aria-hidden="true" />
      {words.plans.create}
    </Button>
  );
  return (
    <Panel title={words.plans.title} flush actions={data.length === 0 ? null : create}>
      {data.length === 0 ? (
        <Empty icon={Tag} title={words.plans.none} actions={create}>
          {words.plans.noneText}
        </Empty>
      ) : (
        <Table
          label={words.plans.title}
          columns={planColumns((plan) => (
            <div className={styles.buttons}>
              <Button
                does={operations.changePlan}
                small
                aria-label={words.plans.changeNamed(plan.name)}
                onClick={() => setEdited(plan)}
              >
                {words.plans.change}
              </Button>
              <Button does={operations.changePlan} small onClick={() => retire.mutate(plan)}>
                {plan.is_retired ? words.plans.offer : words.plans.retire}
              </Button>
            </div>
          ))}
          rows={data}
          keyOf={({ id }) => id}
        />
      )}
      {retire.error ? <FaultNote fault={retire.error} /> : null}
      <Dialog title={words.plans.create} isOpen={edited !== null} onClose={() => setEdited(null)}>
        {edited === null ? null : <PlanForm of={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
      </Dialog>
    </Panel>
  );
}

const planColumns = (buttons: (plan: Plan) => ReactNode): readonly Column<Plan>[] => [
  { name: "name", head: words.plans.name, cell: ({ name }) => name },
  { name: "credits", head: words.plans.credits, align: "end", cell: ({ credits }) => Number(credits).toLocaleString() },
  {
    name: "price",
    head: words.plans.price,
    align: "end",
    cell: ({ price_minor, currency }) => formatMoney(price_minor, currency),
  },
  { name: "priceId", head: words.plans.priceId, cell: ({ price_id }) => <code>{price_id}</code> },
  {
    name: "left",
    head: words.plans.left,
    cell: ({ rolls_over }) => (rolls_over ? words.plans.keeps : words.plans.ends),
  },
  {
    name: "state",
    head: words.plans.state,
    cell: ({ is_retired }) => (
      <Chip tone={is_retired ? "plain" : "ok"}>{is_retired ? words.plans.retired : words.plans.sold}</Chip>
    ),
  },
  { name: "buttons", head: words.plans.actions, align: "end", cell: buttons },
];

function Payments(): ReactNode {
  const [isWaiting, setWaiting] = useState(false);
  const [cursor, setCursor] = useState<string>();
  const [assigned, setAssigned] = useState<Payment | null>(null);
  const { data, error, refetch } = useQuery({ ...paymentsQuery(isWaiting, cursor), placeholderData: keepPreviousData });
  if (data === undefined) return <Pending fault={error} retry={refetch} height="9rem" />;
  return (
    <Panel title={words.payments.title} flush>
      <div className={styles.filter}>
        <CheckField
          label={words.payments.waiting}
          checked={isWaiting}
          onChange={(event) => {
            setWaiting(event.target.checked);
            setCursor(undefined);
          }}
        />
      </div>
      {data.data.length === 0 ? (
        <Empty icon={Wallet} title={words.payments.none} />
      ) : (
        <Table
          label={words.payments.title}
          columns={paymentColumns(setAssigned)}
          rows={data.data}
          keyOf={({ id }) => id}
        />
      )}
      <Pages isFirst={cursor === undefined} next={data.next_cursor} onTurn={setCursor} />
      <Dialog title={words.payments.assignTitle} isOpen={assigned !== null} onClose={() => setAssigned(null)}>
        {assigned === null ? null : <Assign of={assigned} onClose={() => setAssigned(null)} />}
      </Dialog>
    </Panel>
  );
}

const paymentColumns = (onAssign: (payment: Payment) => void): readonly Column<Payment>[] => [
  { name: "paid", head: words.payments.paid, cell: ({ paid_at }) => <Ago at={paid_at} /> },
  {
    name: "amount",
    head: words.payments.amount,
    align: "end",
    cell: ({ amount_minor, currency }) => formatMoney(amount_minor, currency),
  },
  {
    name: "credits",
    head: words.payments.credits,
    align: "end",
    cell: ({ granted_at, credits }) =>
      granted_at === null ? <Chip tone="warn">{words.payments.waits}</Chip> : Number(credits).toLocaleString(),
  },
  {
    name: "workspace",
    head: words.payments.workspace,
    cell: (payment) =>
      payment.granted_at === null ? (
        <Button does={operations.assignPayment} small onClick={() => onAssign(payment)}>
          {words.payments.assign}
        </Button>
      ) : (
        <CopyId id={payment.workspace_id ?? ""} />
      ),
  },
  {
    name: "customer",
    head: words.payments.customer,
    cell: ({ email, customer, reference }) => email ?? customer ?? reference,
  },
];

const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text.trim());

function Assign({ of, onClose }: { readonly of: Payment; readonly onClose: () => void }): ReactNode {
  const [workspace, workspaceField] = useField(of.workspace_id ?? "");
  return (
    <ChangeForm
      action={words.payments.assign}
      why={isId(workspace) ? null : words.payments.why}
      change={() =>
        call(operations.assignPayment, { params: { paymentId: of.id }, json: { workspace_id: workspace.trim() } })
      }
      stale={[plansKey]}
      said={() => words.payments.assigned}
      onClose={onClose}
    >
      <p className={kit.soft}>
        <Rich text={words.payments.assignLead} customer={<strong>{of.email ?? of.customer ?? of.reference}</strong>} />
      </p>
      <TextField label={words.payments.workspaceId} hint={words.payments.workspaceHint} {...workspaceField} />
    </ChangeForm>
  );
}

function Events(): ReactNode {
  const [cursor, setCursor] = useState<string>();
  const { data, error, refetch } = useQuery({ ...eventsQuery(cursor), placeholderData: keepPreviousData });
  if (data === undefined) return <Pending fault={error} retry={refetch} height="9rem" />;
  return (
    <Panel title={words.events.title} flush>
      {data.data.length === 0 ? (
        <Empty icon={Webhook} title={words.events.none}>
          <Rich text={words.events.noneText} address={<code>{`${location.origin}/payments/events/stripe`}</code>} />
        </Empty>
      ) : (
        <Table label={words.events.title} columns={eventColumns} rows={data.data} keyOf={({ event_id }) => event_id} />
      )}
      <Pages isFirst={cursor === undefined} next={data.next_cursor} onTurn={setCursor} />
    </Panel>
  );
}

const eventColumns: readonly Column<PaymentEvent>[] = [
  { name: "received", head: words.events.received, cell: ({ received_at }) => <Ago at={received_at} /> },
  { name: "type", head: words.events.type, cell: ({ type }) => <code>{type}</code> },
  {
    name: "state",
    head: words.events.state,
    cell: ({ state, note }) => (
      <>
        <Chip tone={state === "stored" || (state === "applied" && note !== null) ? "warn" : "plain"}>
          {words.events.states[state]}
        </Chip>
        {note === null ? null : <div className={kit.soft}>{note}</div>}
      </>
    ),
  },
];
