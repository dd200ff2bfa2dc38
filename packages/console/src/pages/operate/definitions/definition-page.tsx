// A provider's definition as text: findings at their line while it is typed, a trial against a stand-in, and saving it for all servers.

import { parseJson } from "@atelier/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ArrowLeft, Download, Save, Trash2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { definitions as words } from "#strings/operators/definitions";
import type { DefinitionFinding, ProviderDefinition, ProviderDefinitionText } from "../../../api/admin.ts";
import { call } from "../../../api/client.ts";
import { asFault } from "../../../api/fault.ts";
import { operations } from "../../../api/operations.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { ChangeForm } from "../../../ui/calls/change-form.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import kit from "../../../ui/kit.module.css";
import { PageHead, Panel, Stack } from "../../../ui/panel.tsx";
import { FaultNote, Pending, Skeleton } from "../../../ui/states.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { Rich } from "../../../ui/text/rich.tsx";
import { toast } from "../../../ui/toast.tsx";
import { saveFile } from "../../../ui/viewers/save-file.ts";
import { ForOperators } from "../operator.tsx";
import styles from "./definitions.module.css";
import { Format, LiveCall, TrialPanel } from "./found.tsx";
import { offsetOf, problemsIn } from "./text-offsets.ts";
import { type Texts, useDefinition, useFormat, useTrial } from "./use-definition.ts";

const route = getRouteApi("/console/providers/definition");

const JsonEditor = lazy(() =>
  import("../../../ui/json-editor/json-editor.tsx").then(({ JsonEditor: component }) => ({ default: component })),
);

export function DefinitionPage(): ReactNode {
  const { provider } = route.useSearch();
  return (
    <>
      <PageHead title={provider === undefined ? words.newTitle : words.title(provider)} lead={words.lead}>
        <LinkButton look="quiet" to="/console/providers" search={provider === undefined ? {} : { provider }}>
          <ArrowLeft aria-hidden="true" />
          {provider === undefined ? words.all : words.back}
        </LinkButton>
      </PageHead>
      <ForOperators>
        <Editing key={provider ?? ""} provider={provider} />
      </ForOperators>
    </>
  );
}

type TextName = keyof Texts;
const tabs = (["definition", "fixtures"] as const).map((name) => ({ name, label: words.tabs[name] }));

function Editing({ provider }: { readonly provider: string | undefined }): ReactNode {
  const { stored, texts, isChanged, change, discard } = useDefinition(provider);
  const [shown, setShown] = useState<TextName>("definition");
  const [reveal, setReveal] = useState<{ readonly in: TextName; readonly offset: number } | null>(null);
  const format = useFormat(texts?.definition);
  const trial = useTrial();
  if (texts === null) return <Pending fault={stored.error} retry={stored.refetch} height="28rem" />;
  const goTo = (finding: DefinitionFinding) => {
    setShown(finding.in);
    setReveal({ in: finding.in, offset: offsetOf(texts[finding.in], finding) });
  };
  const findings = [...(format.data?.findings ?? []), ...(trial.data?.check.findings ?? [])];
  const isWell = format.isCurrent && format.data?.findings.length === 0;
  return (
    <div className={styles.page}>
      <div className={styles.main}>
        <div className={styles.bar}>
          <span className={kit.soft}>
            {isChanged ? words.draft : words.from[stored.data?.source ?? "none"](stored.data?.version ?? null)}
          </span>
          <Actions {...{ provider, texts, isChanged, discard }} stored={stored.data} known={format} />
        </div>
        <Panel flush>
          <Tabs label={words.texts} tabs={tabs} chosen={shown} onChoose={setShown}>
            {shown === "fixtures" ? <p className={styles.hint}>{words.fixturesHint}</p> : null}
            <div className={styles.editor}>
              <Suspense fallback={<Skeleton height="30rem" />}>
                <JsonEditor
                  key={shown}
                  label={words.editors[shown]}
                  text={texts[shown]}
                  onChange={(text) => change({ ...texts, [shown]: text })}
                  problems={problemsIn(texts[shown], shown, findings)}
                  reveal={reveal?.in === shown ? reveal : null}
                />
              </Suspense>
            </div>
          </Tabs>
        </Panel>
      </div>
      <Stack>
        <Format
          check={format.data}
          isCurrent={format.isCurrent}
          mayNot={format.mayNot}
          fault={format.error}
          goTo={goTo}
        />
        <TrialPanel
          texts={texts}
          models={format.data?.models ?? []}
          trial={trial}
          why={isWell ? null : words.needsFormat}
          goTo={goTo}
        />
        <LiveCall provider={format.data?.provider ?? provider ?? "mine.json"} />
      </Stack>
    </div>
  );
}

function Actions(props: {
  readonly provider: string | undefined;
  readonly texts: Texts;
  readonly isChanged: boolean;
  readonly stored: ProviderDefinitionText | undefined;
  readonly known: ReturnType<typeof useFormat>;
  readonly discard: () => void;
}): ReactNode {
  const { provider, texts, isChanged, stored, known, discard } = props;
  const queries = useQueryClient();
  const navigate = route.useNavigate();
  const [isRemoving, setRemoving] = useState(false);
  const name = known.data?.provider ?? null;
  const isOwn = name !== null && name === provider && stored?.source === "admin";
  const saving = useMutation({
    mutationFn: (to: string) =>
      call(operations.putProvider, {
        params: { provider: to },
        json: parseJson(texts.definition) as ProviderDefinition,
        headers: {
          ...(isOwn ? { "if-match": `"${stored.version}"` } : { "if-none-match": "*" }),
        },
      }),
    async onSuccess({ provider: saved, version }) {
      discard();
      await queries.invalidateQueries({ queryKey: ["admin", "providers"] });
      toast(words.saved(saved, version));
      await navigate({ search: { provider: saved } });
    },
  });
  const why =
    !isChanged && (provider !== undefined || name === null)
      ? words.saveWhy.same
      : !known.isCurrent
        ? words.saveWhy.unread
        : known.data?.findings.length !== 0
          ? words.saveWhy.findings
          : null;
  return (
    <>
      <div className={kit.actions}>
        {isChanged ? (
          <Button small look="quiet" onClick={discard}>
            {words.discard}
          </Button>
        ) : null}
        {stored?.source === "admin" ? (
          <Button does={operations.deleteProvider} small look="quiet" onClick={() => setRemoving(true)}>
            <Trash2 aria-hidden="true" />
            {words.remove}
          </Button>
        ) : null}
        <Button small onClick={() => download(`${name ?? provider ?? "definition"}.json`, texts.definition)}>
          <Download aria-hidden="true" />
          {words.download}
        </Button>
        <Button
          does={operations.putProvider}
          small
          look="primary"
          why={why}
          disabled={saving.isPending}
          onClick={() => name === null || saving.mutate(name)}
        >
          <Save aria-hidden="true" />
          {name === null || name === provider ? words.save : words.saveAs(name)}
        </Button>
      </div>
      {saving.error ? (
        <FaultNote fault={saving.error}>
          {asFault(saving.error).status === 412 ? <p>{words.conflict}</p> : null}
        </FaultNote>
      ) : null}
      <Dialog title={words.removeTitle} isOpen={isRemoving} onClose={() => setRemoving(false)}>
        <Remove provider={provider ?? ""} version={stored?.version ?? 1} onClose={() => setRemoving(false)} />
      </Dialog>
    </>
  );
}

function Remove(props: {
  readonly provider: string;
  readonly version: number;
  readonly onClose: () => void;
}): ReactNode {
  const { provider, version, onClose } = props;
  const queries = useQueryClient();
  const navigate = route.useNavigate();
  return (
    <ChangeForm
      action={words.remove}
      look="danger"
      change={() => call(operations.deleteProvider, { params: { provider }, headers: { "if-match": `"${version}"` } })}
      said={() => words.removed(provider)}
      after={async () => {
        await navigate({ to: "/console/providers", search: {} });
        await queries.invalidateQueries({ queryKey: ["admin", "providers"] });
      }}
      onClose={onClose}
    >
      <p>
        <Rich text={words.removeText} provider={<code>{provider}</code>} />
      </p>
    </ChangeForm>
  );
}

const download = (name: string, text: string) => saveFile(new Blob([text], { type: "application/json" }), name);
