// A workspace's credits: the balance, how it came about, and moves, which are confirmed before they are made. Each move has its
// own key: sent twice, it is made once.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Coins, Minus, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { workspaces } from "#strings/workspaces";
import { type Workspace, workspaceCreditsQuery, workspaceLinesQuery } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { useDraft } from "../../ui/calls/use-draft.ts";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Ago, formatCredits } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, Panel } from "../../ui/panel.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "./operate.module.css";
import { Pager } from "./pager.tsx";

const words = workspaces.credits;
const route = getRouteApi("/console/workspaces");

type Way = "in" | "out";

export function Credits({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const [way, setWay] = useState<Way | null>(null);
  const { data, error, refetch } = useQuery(workspaceCreditsQuery(workspace.id));
  return (
    <>
      <Panel
        title={words.balance}
        actions={
          <>
            <Button small look="primary" does={operations.topUpWorkspace} onClick={() => setWay("in")}>
              <Plus aria-hidden="true" />
              {words.topUp}
            </Button>
            <Button small does={operations.withdrawFromWorkspace} onClick={() => setWay("out")}>
              <Minus aria-hidden="true" />
              {words.withdraw}
            </Button>
          </>
        }
      >
        {data === undefined ? (
          <Pending fault={error} retry={refetch} height="4.6rem" />
        ) : (
          <div className={styles.answer} style={{ gap: "0.6rem 2.5rem" }}>
            <div>
              <div className={kit.soft}>{words.available}</div>
              <div className={styles.sum} data-credits={data.available}>
                {formatCredits(data.available)}
              </div>
            </div>
            <div>
              <div className={kit.soft}>{words.held}</div>
              <div className={styles.sum}>{formatCredits(data.held)}</div>
            </div>
            <div>
              <div className={kit.soft}>{words.inFlight}</div>
              <div className={styles.sum}>{data.in_flight.toLocaleString()}</div>
            </div>
          </div>
        )}
      </Panel>
      <Lines workspace={workspace} />
      <Dialog
        title={way === "in" ? words.topUpOf(workspace.name) : words.withdrawFrom(workspace.name)}
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
  const { draft, text } = useDraft({ amount: "", note: "" });
  const [amount, note] = [draft.amount.trim(), draft.note.trim()];
  // The key of the confirmed move; null while it is still being entered.
  const [key, setKey] = useState<string | null>(null);
  const isAmount = amountPattern.test(amount);
  const moving = useChange({
    change: () =>
      call(way === "in" ? operations.topUpWorkspace : operations.withdrawFromWorkspace, {
        params: { workspaceId: workspace.id },
        headers: { "idempotency-key": key ?? "" },
        json: { amount, ...(note === "" ? {} : { note }) },
      }),
    stale: [["admin", "workspace", workspace.id]],
    said: () => (way === "in" ? words.toppedUp : words.withdrawn)(amount, workspace.name),
    after: onClose,
  });
  if (key === null)
    return (
      <DialogForm
        action={words.next}
        isBusy={false}
        why={isAmount ? null : words.amountFirst}
        onSubmit={() => setKey(crypto.randomUUID())}
        onCancel={onClose}
      >
        <TextField
          label={words.amount}
          required
          inputMode="decimal"
          hint={props.available === null ? undefined : words.availableNow(props.available)}
          {...text("amount")}
          wrong={draft.amount !== "" && !isAmount ? words.amountWrong : null}
        />
        <TextField label={workspaces.reason} hint={workspaces.reasonHint} maxLength={500} {...text("note")} />
      </DialogForm>
    );
  return (
    <DialogForm
      action={(way === "in" ? words.topUpAmount : words.withdrawAmount)(amount)}
      look={way === "in" ? "primary" : "danger"}
      isBusy={moving.isPending}
      fault={moving.error}
      onSubmit={() => moving.mutate()}
      onCancel={() => {
        moving.reset();
        setKey(null);
      }}
    >
      <MoveToConfirm {...props} amount={amount} note={note} />
    </DialogForm>
  );
}

function MoveToConfirm(props: MoveProps & { readonly amount: string; readonly note: string }): ReactNode {
  return (
    <div className={styles.confirm}>
      <span className={kit.soft}>{props.way === "in" ? words.toAdd : words.toWithdraw}</span>
      <span className={styles.sum}>{props.amount}</span>
      <Facts
        of={[
          [words.workspace, props.workspace.name],
          [words.available, props.available ?? "–"],
          [workspaces.reason, props.note || "–"],
        ]}
      />
    </div>
  );
}

const { journal } = workspaces;
const kinds: Readonly<Record<string, readonly ["ok" | "plain" | "info" | "warn", string]>> = {
  fund: ["ok", journal.kinds.fund],
  settle: ["info", journal.kinds.settle],
  refund: ["ok", journal.kinds.refund],
  withdraw: ["warn", journal.kinds.withdraw],
  hold: ["plain", journal.kinds.hold],
  release: ["plain", journal.kinds.release],
};

function Lines({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const { lines } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery({
    ...workspaceLinesQuery(workspace.id, lines),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title={journal.title} flush>
      {data === undefined ? (
        <div style={{ padding: "1rem" }}>
          <Pending fault={error} retry={refetch} height="2.4rem" count={6} />
        </div>
      ) : data.data.length === 0 ? (
        <Empty icon={Coins} title={journal.none}>
          <p>{journal.noneText}</p>
        </Empty>
      ) : (
        <Table
          label={journal.table}
          rows={data.data}
          keyOf={({ transaction_id, kind, at }) => `${transaction_id} ${kind} ${at}`}
          columns={[
            { name: "at", head: journal.columns.when, cell: ({ at }) => <Ago at={at} /> },
            {
              name: "kind",
              head: journal.columns.entry,
              cell: ({ kind }) => <Chip tone={kinds[kind]?.[0] ?? "plain"}>{kinds[kind]?.[1] ?? kind}</Chip>,
            },
            {
              name: "amount",
              head: journal.columns.amount,
              align: "end",
              cell: ({ amount }) => <span title={amount}>{formatCredits(amount)}</span>,
            },
            {
              name: "change",
              head: journal.columns.change,
              align: "end",
              cell: ({ change }) => <span title={change}>{formatCredits(change)}</span>,
            },
            {
              name: "id",
              head: journal.columns.transaction,
              cell: ({ transaction_id }) => <CopyId id={transaction_id} />,
            },
          ]}
        />
      )}
      <Pager
        label={journal.pages}
        isFirst={lines === undefined}
        next={data?.next_cursor}
        onTurn={(next) =>
          navigate({ search: { workspace: workspace.id, ...(next === undefined ? {} : { lines: next }) } })
        }
      />
    </Panel>
  );
}
