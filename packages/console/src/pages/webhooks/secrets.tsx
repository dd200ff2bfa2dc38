// The secrets that sign deliveries. A secret is shown when it is created and never again.

import type { WebhookSecret, WebhookSecretList } from "@atelier/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { webhooks } from "#strings/webhooks";
import { accountQuery } from "../../api/account.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Dialog, DialogFoot } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./webhooks.module.css";

const words = webhooks.secrets;

type Listed = WebhookSecretList["data"][number];

const columns: readonly Column<Listed>[] = [
  {
    name: "state",
    head: words.columns.state,
    cell: ({ signs_until }) =>
      signs_until === null ? <Chip tone="ok">{words.current}</Chip> : <Chip tone="warn">{words.overlapping}</Chip>,
  },
  { name: "id", head: words.columns.secret, cell: ({ id }) => <CopyId id={id} /> },
  { name: "made", head: words.columns.created, cell: ({ created_at }) => <Ago at={created_at} /> },
  {
    name: "until",
    head: words.columns.until,
    cell: ({ signs_until }) => (signs_until ? <Ago at={signs_until} /> : words.untilReplaced),
  },
];

export function Secrets(): ReactNode {
  const { data: account } = useQuery(accountQuery);
  const [isRotating, setRotating] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["webhooks", "secrets"],
    queryFn: async ({ signal }) => (await call(operations.listWebhookSecrets, { signal })).data,
  });
  const mayNot = account === undefined || account.role === "owner" ? null : words.why;
  return (
    <>
      <Panel
        title={words.title}
        flush
        actions={
          <Button why={mayNot} onClick={() => setRotating(true)}>
            {data?.length === 0 ? words.create : words.rotate}
          </Button>
        }
      >
        {error && data === undefined ? (
          <FaultNote fault={error} retry={refetch} />
        ) : data === undefined ? (
          <div className={styles.pad}>
            <Skeleton height="2.2rem" count={2} />
          </div>
        ) : data.length === 0 ? (
          <Empty icon={KeyRound} title={words.none}>
            {words.noneText}
          </Empty>
        ) : (
          <Table label={words.title} columns={columns} rows={data} keyOf={({ id }) => id} />
        )}
      </Panel>
      <Rotate isOpen={isRotating} isFirst={data?.length === 0} onClose={() => setRotating(false)} />
    </>
  );
}

const overlaps = [
  { value: "86400", label: words.overlaps.day },
  { value: "3600", label: words.overlaps.hour },
  { value: "604800", label: words.overlaps.week },
  { value: "0", label: words.overlaps.none },
];

function Rotate(props: {
  readonly isOpen: boolean;
  readonly isFirst: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const [made, setMade] = useState<WebhookSecret | null>(null);
  const close = () => {
    setMade(null);
    props.onClose();
  };
  return (
    <Dialog title={made === null ? words.newSecret : words.ready} isOpen={props.isOpen} onClose={close}>
      {made === null ? (
        <RotateForm isFirst={props.isFirst} onMade={setMade} onClose={close} />
      ) : (
        <>
          <p>
            <Rich text={words.readyText} copy={<strong>{words.copyNow}</strong>} />
          </p>
          <ShownOnce label={words.secret} text={made.secret} copyLabel={words.copySecret} look="primary" />
          <ShownOnce label={words.env} text={`ATELIER_WEBHOOK_SECRET=${made.secret}`} copyLabel={words.copyLine} />
          <DialogFoot>
            <Button onClick={close}>{words.done}</Button>
          </DialogFoot>
        </>
      )}
    </Dialog>
  );
}

function RotateForm(props: {
  readonly isFirst: boolean;
  readonly onMade: (secret: WebhookSecret) => void;
  readonly onClose: () => void;
}): ReactNode {
  const [overlap, setOverlap] = useState("86400");
  const queries = useQueryClient();
  const rotate = useMutation({
    mutationFn: () =>
      call(operations.rotateWebhookSecret, {
        json: { overlap_seconds: Number(overlap) },
      }),
    onSuccess: (secret) => {
      queries.invalidateQueries({ queryKey: ["webhooks", "secrets"] });
      props.onMade(secret);
    },
  });
  return (
    <DialogForm
      action={words.action}
      isBusy={rotate.isPending}
      fault={rotate.error}
      onCancel={props.onClose}
      onSubmit={() => rotate.mutate()}
    >
      <p>{words.text}</p>
      {props.isFirst ? null : (
        <SelectField
          label={words.overlap}
          choices={overlaps}
          value={overlap}
          onChange={({ target }) => setOverlap(target.value)}
        />
      )}
    </DialogForm>
  );
}
