// Weights that the server keeps for its workers: what each is, who needs it, who has it; and workers that fill their folders.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Check, Download, HardDrive, Pencil, Plus, TriangleAlert, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { weights as words } from "#strings/operators/weights";
import { type Fill, fillsQuery, type Weight, weightQuery, weightsQuery } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { useChange } from "../../ui/calls/use-change.ts";
import { Chip } from "../../ui/chip.tsx";
import { CopyId } from "../../ui/copy.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { Ago, formatBytes, Progress } from "../../ui/figures.tsx";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote, Pending } from "../../ui/states.tsx";
import { InlineCode } from "../../ui/text/inline-code.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./operate.module.css";
import { Pager } from "./pager.tsx";
import { FetchForm, NotesForm } from "./weight-forms.tsx";

const route = getRouteApi("/console/workers");

export function Weights(): ReactNode {
  const { cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery({ ...weightsQuery(cursor), placeholderData: keepPreviousData });
  if (data === undefined) return <Pending fault={error} retry={refetch} height="12rem" />;
  const add = (
    <Button small does={operations.addWeight} onClick={() => setAdding(true)}>
      <Plus aria-hidden="true" />
      {words.fetch}
    </Button>
  );
  return (
    <>
      <Fills />
      <Panel title={words.title} actions={add} flush>
        {data.data.length === 0 ? (
          <Empty icon={HardDrive} title={words.none}>
            <p>
              <InlineCode text={words.noneText} />
            </p>
          </Empty>
        ) : (
          <ul>
            {data.data.map((weight) => (
              <WeightRow key={weight.id} of={weight} />
            ))}
          </ul>
        )}
        <Pager
          isFirst={cursor === undefined}
          next={data.next_cursor}
          onTurn={(next) => navigate({ search: { tab: "weights", ...(next === undefined ? {} : { cursor: next }) } })}
        />
        <Dialog title={words.fetch} isOpen={isAdding} onClose={() => setAdding(false)}>
          <FetchForm onClose={() => setAdding(false)} />
        </Dialog>
      </Panel>
    </>
  );
}

const states = {
  ready: ["ok", Check, words.states.ready],
  arriving: ["info", Download, words.states.arriving],
  failed: ["bad", X, words.states.failed],
} as const;

function WeightRow({ of: weight }: { readonly of: Weight }): ReactNode {
  const [open, setOpen] = useState<"notes" | "remove" | "uses" | null>(null);
  const [tone, icon, word] = states[weight.state];
  const close = () => setOpen(null);
  return (
    <li className={styles.item} data-weight={weight.id}>
      <div className={styles.who}>
        <Heading>
          {weight.path}
          <Chip tone={tone} icon={icon}>
            {word}
          </Chip>
        </Heading>
        <span className={kit.soft}>
          {formatBytes(weight.bytes)} · {words.blake3} <CopyId id={weight.blake3} /> ·{" "}
          {weight.licence ?? words.noLicence}
        </span>
        {weight.state === "arriving" ? (
          <Progress value={weight.bytes_received / weight.bytes} label={words.arrived(weight.path)} />
        ) : null}
        {weight.problem === null ? null : <div className={kit.soft}>{weight.problem}</div>}
        {weight.note === null ? null : <div className={kit.soft}>{weight.note}</div>}
      </div>
      <div>
        <Button small look="quiet" aria-label={words.usesOf(weight.path)} onClick={() => setOpen("uses")}>
          {words.uses(weight.environments, weight.workers)}
        </Button>
        <div className={kit.soft}>
          {weight.last_used_at === null ? (
            words.neverUsed
          ) : (
            <Rich text={words.used} when={<Ago at={weight.last_used_at} />} />
          )}
        </div>
      </div>
      <div className={kit.actions}>
        <Button
          small
          does={operations.changeWeight}
          aria-label={words.editOf(weight.path)}
          onClick={() => setOpen("notes")}
        >
          <Pencil aria-hidden="true" />
          {words.edit}
        </Button>
        <Button
          small
          look="danger"
          does={operations.deleteWeight}
          aria-label={words.removeOf(weight.path)}
          onClick={() => setOpen("remove")}
        >
          {words.remove}
        </Button>
      </div>
      <Dialog title={words.editTitle} isOpen={open === "notes"} onClose={close}>
        <NotesForm of={weight} onClose={close} />
      </Dialog>
      <Dialog title={weight.path} isOpen={open === "uses"} onClose={close}>
        <Uses of={weight.id} />
      </Dialog>
      <RemoveWeight of={weight} isOpen={open === "remove"} onClose={close} />
    </li>
  );
}

function RemoveWeight(props: {
  readonly of: Weight;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const { of: weight } = props;
  const removing = useChange({
    change: () => call(operations.deleteWeight, { params: { weightId: weight.id } }),
    stale: [["admin", "weights"]],
    said: () => words.removed(weight.path),
    after: props.onClose,
    failed: words.removeFailed(weight.path),
  });
  return (
    <Confirm
      title={words.removeTitle}
      action={words.removeAction}
      isOpen={props.isOpen}
      isBusy={removing.isPending}
      onClose={props.onClose}
      onConfirm={() => removing.mutate()}
    >
      <p>
        <Rich text={words.removeText} name={<strong>{weight.path}</strong>} />
      </p>
    </Confirm>
  );
}

// Who needs it and who has it, read when the dialog opens.
function Uses({ of: id }: { readonly of: string }): ReactNode {
  const { data, error, refetch } = useQuery(weightQuery(id));
  if (data === undefined) return <Pending fault={error} retry={refetch} height="6rem" />;
  const { needed_by: needed, had_by: had } = data;
  return (
    <>
      <p className={kit.soft}>
        {words.sha256} <CopyId id={data.sha256 ?? ""} />
      </p>
      <p>{needed.length === 0 ? words.neededByNone : words.neededBy}</p>
      <ul>
        {needed.map(({ environment_id, name, version }) => (
          <li key={environment_id}>{words.environment(name, version)}</li>
        ))}
      </ul>
      <p>{had.length === 0 ? words.hadByNone : words.hadBy}</p>
      <ul>
        {had.map(({ worker_id, name }) => (
          <li key={worker_id}>{name}</li>
        ))}
      </ul>
    </>
  );
}

function Fills(): ReactNode {
  const { data, error, refetch } = useQuery(fillsQuery);
  if (error && data === undefined)
    return (
      <Panel title={words.fills.title}>
        <FaultNote fault={error} retry={refetch} />
      </Panel>
    );
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Panel title={words.fills.title} flush>
      <ul>
        {data.data.map((fill) => (
          <FillRow key={fill.worker_id} of={fill} />
        ))}
      </ul>
    </Panel>
  );
}

const fillStates = {
  filled: ["ok", Check, words.fills.filled],
  filling: ["info", Download, words.fills.filling],
  failed: ["bad", X, words.fills.failed],
} as const;

function FillRow({ of: fill }: { readonly of: Fill }): ReactNode {
  const [tone, icon, word] = fillStates[fill.state];
  return (
    <li className={styles.item} data-fill={fill.worker_id}>
      <div className={styles.who}>
        <Heading>
          {fill.name}
          <Chip tone={tone} icon={icon}>
            {word}
          </Chip>
          {fill.accusations > 0 ? (
            <Chip tone="bad" icon={TriangleAlert}>
              {words.fills.lied}
            </Chip>
          ) : null}
        </Heading>
        {fill.state === "filling" ? (
          <Progress
            value={fill.bytes_total === 0 ? null : fill.bytes_done / fill.bytes_total}
            label={words.fills.progress(fill.name)}
          />
        ) : null}
        {fill.problem === null ? null : <div className={kit.soft}>{fill.problem}</div>}
        {fill.accused_by === null ? null : <div className={kit.soft}>{words.fills.accusedBy(fill.accused_by)}</div>}
      </div>
      <span>
        {words.fills.amount(formatBytes(fill.bytes_done), formatBytes(fill.bytes_total))}
        <div className={kit.soft}>{fill.is_sharing ? words.fills.sharing : words.fills.notSharing}</div>
      </span>
      <span className={kit.soft}>
        <Ago at={fill.seen_at} />
      </span>
    </li>
  );
}
