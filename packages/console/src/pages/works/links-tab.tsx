// Links for people without an account: made with a budget and an end, shown once, listed, ended.
import type { CreatedWorkLink, Work, WorkLink } from "@atelier/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { shared } from "#strings/shared";
import { works } from "#strings/works/pages";
import { operations } from "../../api/operations.ts";
import { createLink, endLink, linksKey, linksQuery } from "../../api/works/works.ts";
import { Button } from "../../ui/button.tsx";
import { useDraft } from "../../ui/calls/use-draft.ts";
import { Chip, type Tone } from "../../ui/chip.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { formatCredits, useNow } from "../../ui/figures.tsx";
import { CreditMeter } from "../../ui/meter.tsx";
import { Panel } from "../../ui/panel.tsx";
import { SecretDialog, SecretForm, type SecretSteps } from "../../ui/secret-dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { toast, toastFault } from "../../ui/toast.tsx";
import { type LinkState, linkState } from "./link-state.ts";
import styles from "./works.module.css";

const words = works.links;

export function LinksTab({ work }: { readonly work: Work }): ReactNode {
  const [isMaking, setMaking] = useState(false);
  const { data, error, refetch } = useQuery(linksQuery(work.name));
  const make = (
    <Button does={operations.createWorkLink} look="primary" onClick={() => setMaking(true)}>
      <Link2 aria-hidden="true" />
      {words.make}
    </Button>
  );
  return (
    <Panel title={words.title} flush actions={data?.length === 0 ? null : make}>
      <p className={styles.linksLead}>{words.lead}</p>
      {data === undefined ? (
        <Pending fault={error} retry={refetch} height="3rem" count={2} />
      ) : data.length === 0 ? (
        <Empty icon={Link2} title={words.empty.title} actions={make}>
          <p>{words.empty.text}</p>
        </Empty>
      ) : (
        <LinkTable work={work} links={data} />
      )}
      <SecretDialog<CreatedWorkLink>
        title={words.form.title}
        readyTitle={() => words.ready.title}
        isOpen={isMaking}
        onClose={() => setMaking(false)}
        form={(steps) => <LinkForm {...steps} name={work.name} />}
        secret={(made) => <Ready made={made} />}
        done={words.ready.done}
      />
    </Panel>
  );
}

const tones: Readonly<Record<LinkState, Tone>> = { open: "ok", ended: "plain", expired: "plain", spent: "warn" };

function LinkTable({ work, links }: { readonly work: Work; readonly links: readonly WorkLink[] }): ReactNode {
  const now = useNow(30_000);
  const [ending, setEnding] = useState<WorkLink | null>(null);
  const columns: readonly Column<WorkLink>[] = [
    { name: "label", head: words.label, cell: (link) => <strong>{labelOf(link)}</strong> },
    {
      name: "spent",
      head: words.spent,
      cell: (link) => <CreditMeter label={words.credits} spent={link.spent} max={link.budget} />,
    },
    { name: "expires", head: words.expires, cell: ({ expires_at }) => momentOf(expires_at) },
    {
      name: "state",
      head: words.state,
      cell: (link) => <Chip tone={tones[linkState(link, now)]}>{words.states[linkState(link, now)]}</Chip>,
    },
    {
      name: "end",
      head: <span className="visually-hidden">{words.end}</span>,
      align: "end",
      cell: (link) =>
        link.ended_at === null && new Date(link.expires_at).getTime() > now ? (
          <Button does={operations.deleteWorkLink} small look="danger" onClick={() => setEnding(link)}>
            {words.end}
          </Button>
        ) : null,
    },
  ];
  return (
    <>
      <Table label={words.table} columns={columns} rows={links} keyOf={({ id }) => id} />
      <EndLink name={work.name} link={ending} onClose={() => setEnding(null)} />
    </>
  );
}

function EndLink(props: {
  readonly name: string;
  readonly link: WorkLink | null;
  readonly onClose: () => void;
}): ReactNode {
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: (id: string) => endLink(props.name, id),
    onSuccess: () => toast(words.ended),
    onError: (thrown) => toastFault(thrown, words.notEnded),
    onSettled: () => {
      props.onClose();
      return queries.invalidateQueries({ queryKey: linksKey(props.name) });
    },
  });
  return (
    <Confirm
      title={props.link === null ? "" : words.endTitle(labelOf(props.link))}
      isOpen={props.link !== null}
      onClose={props.onClose}
      action={words.end}
      isBusy={end.isPending}
      onConfirm={() => props.link && end.mutate(props.link.id)}
    >
      <p>{words.endText}</p>
    </Confirm>
  );
}

const labelOf = ({ label }: WorkLink): string => label ?? words.unnamed;
const momentOf = (at: string): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

const spans = [1, 7, 30, 90];
const dayMs = 86_400_000;
const amount = /^\d{1,12}(\.\d{1,6})?$/;

function LinkForm({ name, ...steps }: SecretSteps<CreatedWorkLink> & { readonly name: string }): ReactNode {
  const { draft, text, field, canSubmit } = useDraft({ label: "", budget: "", days: "7" }, ({ budget }) => ({
    budget: amount.test(budget.trim()) ? null : words.form.budgetWrong,
  }));
  const [label, budget] = [draft.label.trim(), draft.budget.trim()];
  return (
    <SecretForm
      {...steps}
      action={words.form.action}
      changes={linksKey(name)}
      canSubmit={canSubmit}
      create={() =>
        createLink(name, {
          ...(label === "" ? {} : { label }),
          budget,
          expires_at: new Date(Date.now() + Number(draft.days) * dayMs).toISOString(),
        })
      }
    >
      <TextField label={words.form.label} hint={words.form.labelHint} maxLength={100} {...text("label")} />
      <div className={styles.pair}>
        <TextField
          label={words.form.budget}
          hint={words.form.budgetHint}
          required
          inputMode="decimal"
          {...text("budget")}
        />
        <SelectField
          label={words.form.days}
          choices={spans.map((each) => ({ value: String(each), label: words.form.daysOf(each) }))}
          {...field("days")}
        />
      </div>
    </SecretForm>
  );
}

function Ready({ made }: { readonly made: CreatedWorkLink }): ReactNode {
  return (
    <>
      <p>{words.ready.text}</p>
      <ShownOnce label={words.ready.link} text={made.url} copyLabel={words.ready.copy} look="primary" />
      <p>
        <Rich
          text={words.ready.until}
          end={momentOf(made.expires_at)}
          budget={shared.credits(formatCredits(made.budget))}
        />
      </p>
    </>
  );
}
