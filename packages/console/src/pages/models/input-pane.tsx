// The input as a form, as JSON and as code: three views of one value.
import type { ModelDetail } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Link2, RotateCcw } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { models } from "#strings/models";
import { configQuery } from "../../api/config.ts";
import type { FieldFault } from "../../api/fault.ts";
import { isRecord } from "../../api/json-record.ts";
import type { ModelDocument } from "../../api/models.ts";
import { IconButton } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy.tsx";
import kit from "../../ui/kit.module.css";
import { isPermissive } from "../../ui/schema-form/json-schema.ts";
import { SchemaForm } from "../../ui/schema-form/schema-form.tsx";
import { baseOf } from "../../ui/snippets/clients.ts";
import { snippetOf } from "../../ui/snippets/model-call/snippets.ts";
import { SnippetTabs } from "../../ui/snippets/snippet-tabs.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { toast } from "../../ui/toast.tsx";
import { extensionOf } from "../../ui/viewers/found-media.ts";
import { type InputState, shareLink } from "./input-state.ts";
import styles from "./model.module.css";

const words = models.input;

const JsonEditor = lazy(() =>
  import("../../ui/json-editor/json-editor.tsx").then(({ JsonEditor: component }) => ({ default: component })),
);

const views = [
  { name: "form", label: words.views.form },
  { name: "json", label: words.views.json },
  { name: "code", label: words.views.code },
] as const;

interface InputPaneProps {
  readonly model: ModelDetail;
  readonly document: ModelDocument;
  readonly input: InputState;
  readonly faults: readonly FieldFault[];
}

export function InputPane(props: InputPaneProps): ReactNode {
  const { document, input, faults } = props;
  const search = useSearch({ from: "/console/models/$provider/$model" });
  const navigate = useNavigate({ from: "/console/models/$provider/$model" });
  const isFree = isPermissive(document.input);
  const view = search.view ?? (isFree ? "json" : "form");
  const share = async () => {
    const link = shareLink(input.value);
    if (link === null) return toast(words.tooLarge, { tone: "bad" });
    await copyText(link);
    toast(words.linkCopied);
  };
  return (
    <section className={styles.panel} aria-label={words.label}>
      <div className={styles.inputHead}>
        <IconButton label={words.copyLink} small onClick={() => void share()}>
          <Link2 aria-hidden="true" />
        </IconButton>
        <IconButton label={words.clear} small onClick={() => input.setValue({})}>
          <RotateCcw aria-hidden="true" />
        </IconButton>
      </div>
      <Tabs
        label={words.view}
        tabs={views}
        chosen={view}
        onChoose={(next) =>
          void navigate({ search: (now) => ({ ...now, view: next }), replace: true, resetScroll: false })
        }
      >
        {view === "form" ? (
          <div className={styles.form}>
            {isFree ? <FreeNote /> : null}
            <SchemaForm schema={document.input} value={input.value} onChange={input.setValue} faults={faults} />
            {input.problem ? <p className={kit.wrong}>{words.invalidJson}</p> : null}
          </div>
        ) : null}
        {view === "json" ? <JsonView isFree={isFree} input={input} faults={faults} /> : null}
        {view === "code" ? <CodeView {...props} /> : null}
      </Tabs>
    </section>
  );
}

function FreeNote(): ReactNode {
  return <p className={kit.hint}>{words.noSchema}</p>;
}

function JsonView(props: {
  readonly isFree: boolean;
  readonly input: InputState;
  readonly faults: readonly FieldFault[];
}): ReactNode {
  const { input, faults } = props;
  return (
    <div className={styles.form}>
      {props.isFree ? <FreeNote /> : null}
      <div className={styles.editor} data-wrong={input.problem !== null}>
        <Suspense fallback={<Skeleton height="20rem" />}>
          <JsonEditor label={words.json} text={input.text} onChange={input.setText} />
        </Suspense>
      </div>
      <div role="status">
        {input.problem ? <p className={kit.wrong}>{input.problem}</p> : null}
        {faults.map(({ path, message }) => (
          <p key={path.join("/")} className={kit.wrong}>
            <code>{path.join(".") || words.root}</code> {message}
          </p>
        ))}
      </div>
    </div>
  );
}

function CodeView({ model, document, input }: InputPaneProps): ReactNode {
  const { lang = "curl", how } = useSearch({ from: "/console/models/$provider/$model" });
  const navigate = useNavigate({ from: "/console/models/$provider/$model" });
  const { data: config } = useQuery(configQuery);
  const properties = isRecord(document.input["properties"]) ? document.input["properties"] : {};
  const texts = Object.entries(properties).filter(([, field]) => isRecord(field) && field["type"] === "string");
  const code = snippetOf[lang]({
    baseUrl: baseOf(config?.base_url ?? location.origin),
    model: model.id,
    input: input.value,
    textFields: new Set(texts.map(([name]) => name)),
    isQueued: how === "queued",
    answerFile: document.output === null ? `answer.${extensionOf(document.outputType)}` : null,
  });
  return (
    <div className={styles.form}>
      <SnippetTabs
        label={words.language}
        labelOf={words.snippet}
        chosen={lang}
        onChoose={(next) =>
          void navigate({ search: (now) => ({ ...now, lang: next }), replace: true, resetScroll: false })
        }
        code={code}
      />
      <p className={kit.hint}>
        <Rich text={words.key} variable={<code>ATELIER_API_KEY</code>} />
      </p>
    </div>
  );
}
