// A workspace's credits: the balance, how it came about, and moves, which are confirmed before they are made. Each move has its
// own key: sent twice, it is made once.

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Coins, Minus, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type Balance, type CreditLine, type Page, type Workspace, workspacePartQuery } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Ago, creditsOf } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./operate.module.css";
import { Pager } from "./pager.tsx";

const route = getRouteApi("/console/workspaces");

type Way = "in" | "out";

export function Credits({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const [way, setWay] = useState<Way | null>(null);
  const { data, error, refetch } = useQuery(workspacePartQuery<Balance>(workspace.id, "credits"));
  return (
    <>
      <Panel
        title="Balance"
        actions={
          <>
            <Button small look="primary" onClick={() => setWay("in")}>
              <Plus aria-hidden="true" />
              Top up
            </Button>
            <Button small onClick={() => setWay("out")}>
              <Minus aria-hidden="true" />
              Withdraw
            </Button>
          </>
        }
      >
        {data === undefined ? (
          error ? (
            <FaultNote fault={error} retry={refetch} />
          ) : (
            <Skeleton height="4.6rem" />
          )
        ) : (
          <div className={styles.answer} style={{ gap: "0.6rem 2.5rem" }}>
            <div>
              <div className={kit.soft}>Available</div>
              <div className={styles.sum} data-credits={data.available}>
                {creditsOf(data.available)}
              </div>
            </div>
            <div>
              <div className={kit.soft}>Held by open calls</div>
              <div className={styles.sum}>{creditsOf(data.held)}</div>
            </div>
            <div>
              <div className={kit.soft}>Calls under way</div>
              <div className={styles.sum}>{data.in_flight.toLocaleString()}</div>
            </div>
          </div>
        )}
      </Panel>
      <Lines workspace={workspace} />
      <Dialog
        title={way === "in" ? `Top up ${workspace.name}` : `Withdraw from ${workspace.name}`}
        isOpen={way !== null}
        onClose={() => setWay(null)}
      >
        {way ? (
          <Move workspace={workspace} way={way} available={data?.available ?? null} onClose={() => setWay(null)} />
        ) : null}
      </Dialog>
    </>
  );
}

const amountPattern = /^(?!0(\.0{1,6})?$)(0|[1-9]\d{0,11})(\.\d{1,6})?$/;

interface MoveProps {
  readonly workspace: Workspace;
  readonly way: Way;
  readonly available: string | null;
  readonly onClose: () => void;
}

function Move(props: MoveProps): ReactNode {
  const { workspace, way, onClose } = props;
  const queries = useQueryClient();
  const [amount, setAmount] = useState("");
  const [note, setNote] = useState("");
  // The key of the confirmed move; null while it is still being entered.
  const [key, setKey] = useState<string | null>(null);
  const isAmount = amountPattern.test(amount.trim());
  const verb = way === "in" ? "Top up" : "Withdraw";
  const moving = useMutation({
    mutationFn: () =>
      call(`/admin/workspaces/${workspace.id}/credits${way === "in" ? "" : "/withdrawals"}`, {
        method: "POST",
        headers: { "idempotency-key": key ?? "" },
        json: { amount: amount.trim(), ...(note.trim() === "" ? {} : { note: note.trim() }) },
      }),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ["admin", "workspace", workspace.id] });
      toast(`${verb}: ${amount.trim()} credits, ${workspace.name}.`);
      onClose();
    },
  });
  if (key === null)
    return (
      <DialogForm
        action="Continue"
        isBusy={false}
        why={isAmount ? null : "Write an amount above 0 first, such as 250 or 0.5."}
        onSubmit={() => setKey(crypto.randomUUID())}
        onCancel={onClose}
      >
        <TextField
          label="Credits"
          required
          inputMode="decimal"
          autoComplete="off"
          hint={props.available === null ? undefined : `Available now: ${props.available}`}
          wrong={amount !== "" && !isAmount ? "An amount above 0 with at most six places, and a point." : null}
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
        />
        <TextField
          label="Why"
          hint="The audit keeps it."
          maxLength={500}
          autoComplete="off"
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </DialogForm>
    );
  return (
    <DialogForm
      action={`${verb} ${amount.trim()} credits`}
      look={way === "in" ? "primary" : "danger"}
      isBusy={moving.isPending}
      fault={moving.error}
      onSubmit={() => moving.mutate()}
      onCancel={() => {
        moving.reset();
        setKey(null);
      }}
    >
      <MoveToConfirm {...props} amount={amount.trim()} note={note.trim()} />
    </DialogForm>
  );
}

function MoveToConfirm(props: MoveProps & { readonly amount: string; readonly note: string }): ReactNode {
  return (
    <div className={styles.confirm}>
      <span className={kit.soft}>{props.way === "in" ? "This is added" : "This is taken out"}</span>
      <span className={styles.sum}>{props.amount}</span>
      <Facts
        of={[
          ["Workspace", props.workspace.name],
          ["Available now", props.available ?? "–"],
          ["Why", props.note || "–"],
        ]}
      />
    </div>
  );
}

const words: Readonly<Record<string, readonly ["ok" | "plain" | "info" | "warn", string]>> = {
  fund: ["ok", "Topped up"],
  settle: ["info", "Charged"],
  refund: ["ok", "Refunded"],
  withdraw: ["warn", "Withdrawn"],
  hold: ["plain", "Held"],
  release: ["plain", "Released"],
};

function Lines({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const { lines } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery({
    ...workspacePartQuery<Page<CreditLine>>(workspace.id, "credits/lines", { limit: 20, cursor: lines }),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title="Journal" flush>
      {data === undefined ? (
        <div style={{ padding: "1rem" }}>
          {error ? <FaultNote fault={error} retry={refetch} /> : <Skeleton height="2.4rem" count={6} />}
        </div>
      ) : data.data.length === 0 ? (
        <Empty icon={Coins} title="No credits have moved yet">
          <p>The first top-up appears here.</p>
        </Empty>
      ) : (
        <Table
          label="Journal of credits"
          rows={data.data}
          keyOf={({ transaction_id, kind, at }) => `${transaction_id} ${kind} ${at}`}
          columns={[
            { name: "at", head: "When", cell: ({ at }) => <Ago at={at} /> },
            {
              name: "kind",
              head: "What",
              cell: ({ kind }) => <Chip tone={words[kind]?.[0] ?? "plain"}>{words[kind]?.[1] ?? kind}</Chip>,
            },
            {
              name: "amount",
              head: "Amount",
              align: "end",
              cell: ({ amount }) => <span title={amount}>{creditsOf(amount)}</span>,
            },
            {
              name: "change",
              head: "Change",
              align: "end",
              cell: ({ change }) => <span title={change}>{creditsOf(change)}</span>,
            },
            { name: "id", head: "Transaction", cell: ({ transaction_id }) => <CopyId id={transaction_id} /> },
          ]}
        />
      )}
      <Pager
        label="Pages of the journal"
        isFirst={lines === undefined}
        next={data?.next_cursor}
        onTurn={(next) =>
          navigate({ search: { workspace: workspace.id, ...(next === undefined ? {} : { lines: next }) } })
        }
      />
    </Panel>
  );
}
