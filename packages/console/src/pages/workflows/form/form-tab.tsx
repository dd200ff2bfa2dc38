// The form editor: the graph and its values on one side, the form as callers will see it on the other. What is made here is kept in
// this browser until it is saved or published.
import type { SavedWorkflow, WorkForm, WorkflowForm } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { workForm as words } from "#strings/works/form";
import type { Owner } from "../../../api/drafts.ts";
import type { FieldFault } from "../../../api/fault.ts";
import { operations } from "../../../api/operations.ts";
import { workflowFormQuery } from "../../../api/works/works.ts";
import { Button } from "../../../ui/button.tsx";
import kit from "../../../ui/kit.module.css";
import { FaultNote, Skeleton } from "../../../ui/states.tsx";
import { toast } from "../../../ui/toast.tsx";
import { openedQuery } from "../open-saved.ts";
import type { Opened } from "../open-workflow.ts";
import type { Base } from "../save-conflict.ts";
import { ChosenInputs } from "./chosen-inputs.tsx";
import { ChosenOutputs } from "./chosen-outputs.tsx";
import styles from "./form.module.css";
import { isSameForm, problemsIn } from "./form-draft.ts";
import { FormGraph } from "./form-graph.tsx";
import { draftName, type FormDraft, useFormDraft } from "./form-keeping.ts";
import { Preview } from "./preview.tsx";
import { PublishDialog } from "./publish-dialog.tsx";
import { SaveForm } from "./save-form.tsx";
import { ValueList } from "./value-list.tsx";

export function FormTab(props: {
  readonly workflow: SavedWorkflow;
  // What is on the page.
  readonly base: Base;
  readonly owner: Owner;
  readonly onSaved: (base: Base) => void;
}): ReactNode {
  const { workflow } = props;
  const { version } = props.base;
  const opened = useQuery(openedQuery(workflow, version));
  const proposed = useQuery(workflowFormQuery(workflow.id, version));
  const failed = [opened, proposed].filter(({ error, data }) => error && data === undefined);
  if (failed.length > 0)
    return <FaultNote fault={failed[0]?.error} retry={() => failed.forEach(({ refetch }) => void refetch())} />;
  if (opened.data === undefined || proposed.data === undefined) return <Skeleton height="18rem" count={2} />;
  return <Editor {...props} opened={opened.data} proposed={proposed.data} />;
}

interface EditorProps {
  readonly workflow: SavedWorkflow;
  readonly base: Base;
  readonly owner: Owner;
  readonly onSaved: (base: Base) => void;
  readonly opened: Opened;
  readonly proposed: WorkflowForm;
}

const nothing: readonly FieldFault[] = [];

function Editor({ workflow, base, owner, onSaved, opened, proposed }: EditorProps): ReactNode {
  const { version } = base;
  const [draft, setDraft] = useFormDraft(owner, draftName(workflow.id, version), { form: proposed.form, examples: [] });
  const { form } = draft;
  const [node, setNode] = useState<string>();
  const [isPublishing, setPublishing] = useState(false);
  // The server's, for as long as the form is the one that it refused.
  const [refused, setRefused] = useState<{ readonly form: WorkForm; readonly faults: readonly FieldFault[] } | null>(
    null,
  );
  const own = useMemo(() => problemsIn(form), [form]);
  const faults = refused !== null && refused.form === form ? [...refused.faults, ...own] : own;
  const isSaved = proposed.source === "saved" && isSameForm(form, proposed.form);
  const setForm = (next: WorkForm) => setDraft({ ...draft, form: next });
  const titles = { graph: opened.graph, faults: faults.length === 0 ? nothing : faults };
  return (
    <>
      <Head {...{ draft, proposed, setDraft }} />
      <div className={styles.editor}>
        <div className={styles.making}>
          <FormGraph opened={opened} form={form} chosen={node} onChoose={setNode} />
          <ChosenInputs form={form} onForm={setForm} {...titles} />
          <ValueList
            form={form}
            onForm={setForm}
            graph={opened.graph}
            all={proposed.inputs}
            node={node}
            onNode={setNode}
          />
          <ChosenOutputs form={form} onForm={setForm} all={proposed.outputs} {...titles} />
        </div>
        <div className={styles.seeing}>
          <Preview draft={draft} onDraft={setDraft} isSound={own.length === 0} />
          <div className={styles.actions}>
            <SaveForm
              {...{ workflow, base, owner, draft, onSaved }}
              why={own.length > 0 ? words.publish.fix : isSaved ? words.save.unchanged : null}
              onRefused={(given) => setRefused({ form, faults: given })}
            />
            <Button
              does={operations.publishWork}
              look="primary"
              why={own.length > 0 ? words.publish.fix : null}
              onClick={() => setPublishing(true)}
            >
              <Send aria-hidden="true" />
              {words.publish.action}
            </Button>
          </div>
        </div>
      </div>
      <PublishDialog
        {...{ workflow, version, draft }}
        isOpen={isPublishing}
        onDraft={setDraft}
        onClose={() => setPublishing(false)}
        onRefused={(given) => {
          setPublishing(false);
          setRefused({ form, faults: given });
        }}
      />
    </>
  );
}

// Where the form comes from, and the way back to it.
function Head(props: {
  readonly draft: FormDraft;
  readonly proposed: WorkflowForm;
  readonly setDraft: (draft: FormDraft) => void;
}): ReactNode {
  const { draft, proposed, setDraft } = props;
  const isChanged = !isSameForm(draft.form, proposed.form);
  const startOver = () => {
    setDraft({ ...draft, form: proposed.form });
    toast(words.startedOver, { action: { label: words.undo, run: () => setDraft(draft) } });
  };
  return (
    <div className={styles.head}>
      <p>
        {words.lead} <span className={kit.soft}>{isChanged ? words.kept : words.sources[proposed.source]}</span>
      </p>
      {isChanged ? (
        <Button small look="quiet" onClick={startOver}>
          {words.startOver}
        </Button>
      ) : null}
      {proposed.problems.length === 0 ? null : (
        <details className={styles.problems}>
          <summary>{words.cannotRead}</summary>
          <ul>
            {proposed.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
