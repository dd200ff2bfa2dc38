// Publishes the form: under which name, for whom, with which examples. The server runs the examples first and answers when they
// have ended; what it refuses is shown at its field, here or in the form.
import type { SavedWorkflow, Work } from "@atelier/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { workForm } from "#strings/works/form";
import { asFault, type FieldFault } from "../../../api/fault.ts";
import { publishWork, worksKey, worksOfQuery } from "../../../api/works/works.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../ui/dialog-form.tsx";
import { SelectField } from "../../../ui/fields.tsx";
import { FaultNote, Skeleton } from "../../../ui/states.tsx";
import { toast } from "../../../ui/toast.tsx";
import { ExampleFields } from "./example-fields.tsx";
import type { FormDraft } from "./form-keeping.ts";
import { PublishFields } from "./publish-fields.tsx";
import { PublishProgress } from "./publish-progress.tsx";
import {
  type Publication,
  publicationBody,
  type Refusals,
  refusalsIn,
  workNameFrom,
  wrongName,
  wrongProvider,
} from "./publishing.ts";
import { RefusedForm } from "./refused-form.tsx";

const words = workForm.publish;

interface PublishProps {
  readonly workflow: SavedWorkflow;
  readonly version: number;
  readonly draft: FormDraft;
  readonly onDraft: (draft: FormDraft) => void;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  // The server refused parts of the form.
  readonly onRefused: (faults: readonly FieldFault[]) => void;
}

export function PublishDialog(props: PublishProps): ReactNode {
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog
      title={words.title}
      size="wide"
      isOpen={props.isOpen}
      onClose={() => (isBusy ? undefined : props.onClose())}
    >
      <Loaded {...props} onBusy={setBusy} />
    </Dialog>
  );
}

function Loaded(props: PublishProps & { readonly onBusy: (isBusy: boolean) => void }): ReactNode {
  const works = useQuery(worksOfQuery(props.workflow.id));
  if (works.error) return <FaultNote fault={works.error} retry={() => void works.refetch()} />;
  if (works.data === undefined) return <Skeleton height="4rem" count={3} />;
  return <PublishForm {...props} {...works.data} />;
}

function PublishForm(
  props: PublishProps & {
    readonly own: readonly Work[];
    readonly isFirst: boolean;
    readonly onBusy: (isBusy: boolean) => void;
  },
): ReactNode {
  const { workflow, draft, own, isFirst } = props;
  const [publication, setPublication] = useState(() => publicationOf(own[0], workflow.name));
  const [isAsked, setAsked] = useState(false);
  const change = (more: Partial<Publication>) => setPublication({ ...publication, ...more });
  const publish = usePublishing(props, publication);
  const refusals: Refusals | null = publish.error ? refusalsIn(asFault(publish.error)) : null;
  if (publish.isPending) return <PublishProgress count={draft.examples.length || (publication.runsDefaults ? 1 : 0)} />;
  const isKnown = own.some(({ name }) => name === publication.name);
  const why = wrongName(publication.name) ?? wrongProvider(publication.provider);
  return (
    <DialogForm
      action={words.send}
      isBusy={false}
      fault={publish.error && (refusals?.form.length ?? 0) === 0 ? publish.error : undefined}
      onSubmit={() => {
        setAsked(true);
        if (why === null) publish.mutate();
      }}
      onCancel={props.onClose}
    >
      {own.length === 0 ? null : (
        <SelectField
          label={words.as}
          value={isKnown ? publication.name : ""}
          choices={[
            ...own.map(({ name, versions }) => ({ value: name, label: words.versionOf(name, versions + 1) })),
            { value: "", label: words.newWork },
          ]}
          onChange={({ target }) => {
            const known = own.find(({ name }) => name === target.value);
            setPublication({ ...publicationOf(known, workflow.name), ...(known ? {} : { name: "" }) });
          }}
        />
      )}
      <PublishFields {...{ publication, change, isKnown, isFirst, isAsked }} refused={refusals?.fields ?? new Map()} />
      <ExampleFields
        examples={draft.examples}
        onExamples={(examples) => props.onDraft({ ...draft, examples })}
        runsDefaults={publication.runsDefaults}
        onRunsDefaults={(runsDefaults) => change({ runsDefaults })}
        refused={refusals?.examples ?? new Map()}
      />
      {refusals !== null && refusals.form.length > 0 ? (
        <RefusedForm fault={asFault(publish.error)} faults={refusals.form} onShow={props.onRefused} />
      ) : null}
    </DialogForm>
  );
}

// As the work is published now; for a new one, named after the workflow.
function publicationOf(work: Work | undefined, name: string): Publication {
  return {
    name: work?.name ?? workNameFrom(name),
    title: work?.title ?? name,
    description: work?.description ?? "",
    visibility: work?.visibility ?? "private",
    sharedWith: (work?.shared_with ?? []).join("\n"),
    note: "",
    provider: "",
    runsDefaults: true,
  };
}

function usePublishing(
  { workflow, version, draft, onBusy, onClose }: PublishProps & { readonly onBusy: (isBusy: boolean) => void },
  publication: Publication,
) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => {
      onBusy(true);
      const what = { workflowId: workflow.id, version, form: draft.form, examples: draft.examples };
      return publishWork(publication.name, publicationBody(publication, what));
    },
    onSettled: () => onBusy(false),
    onSuccess: async ({ id, name }) => {
      await queries.invalidateQueries({ queryKey: worksKey });
      void queries.invalidateQueries({ queryKey: ["models"] });
      toast(words.published(id));
      onClose();
      void navigate({ to: "/console/works/$name", params: { name } });
    },
  });
}
