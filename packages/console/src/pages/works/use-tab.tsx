// How to use a work: what it made, how to call it, what it is made of.
import type { Work, WorkExample, WorkForm, WorkVersion } from "@atelier/sdk";
import { writeJson } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { works } from "#strings/works/pages";
import { configQuery } from "../../api/config.ts";
import type { Input } from "../../api/model-calls/model-run.ts";
import { workVersionQuery } from "../../api/works/works.ts";
import { Heading } from "../../ui/heading.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { SchemaForm } from "../../ui/schema-form/schema-form.tsx";
import { baseOf } from "../../ui/snippets/clients.ts";
import { snippetOf } from "../../ui/snippets/model-call/snippets.ts";
import { SnippetTabs } from "../../ui/snippets/snippet-tabs.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import { schemaOf } from "../../ui/work-form/form-schema.ts";
import { inputLink } from "../../ui/work-form/input-link.ts";
import { WorkPicture } from "../../ui/work-form/work-picture.tsx";
import { VersionFacts } from "./version-facts.tsx";
import styles from "./works.module.css";

const words = works.use;
const route = getRouteApi("/console/works/$name");

export function UseTab({ work }: { readonly work: Work }): ReactNode {
  const { data, error, refetch } = useQuery(workVersionQuery(work.name, work.version));
  if (error) return <FaultNote fault={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height="12rem" count={2} />;
  return (
    <div className={styles.use}>
      <div className={styles.column}>
        <Examples work={work} version={data} />
        <CallIt work={work} version={data} />
      </div>
      <div className={styles.column}>
        <Panel title={words.about}>
          <VersionFacts work={work} version={data} />
        </Panel>
        <FormPanel version={data} />
      </div>
    </div>
  );
}

function Examples({ work, version }: { readonly work: Work; readonly version: WorkVersion }): ReactNode {
  return (
    <Panel title={words.examples}>
      {version.examples.length === 0 ? (
        <p className={kit.soft}>{words.noExamples}</p>
      ) : (
        <ul className={styles.examples}>
          {version.examples.map((example, at) => (
            <OneExample key={example.job_id} {...{ work, example }} form={version.form} position={at + 1} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function OneExample(props: {
  readonly work: Work;
  readonly example: WorkExample;
  readonly form: WorkForm;
  readonly position: number;
}): ReactNode {
  const { work, example } = props;
  const [provider = "", model = ""] = work.id.split("/");
  const title = example.title ?? words.example(props.position);
  // As people see them in the form.
  const inputs = props.form.inputs.flatMap(({ name, label }) =>
    Object.hasOwn(example.inputs, name) ? [[label ?? name, example.inputs[name]] as const] : [],
  );
  return (
    <li className={styles.example}>
      <WorkPicture assetId={example.assets[0] ?? null} alt={words.alt(title, work.title ?? work.name)} />
      <div className={styles.exampleAbout}>
        <Heading>{title}</Heading>
        {inputs.length === 0 ? <p className={kit.soft}>{words.defaults}</p> : null}
        <dl className={styles.inputs}>
          {inputs.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{shortOf(value)}</dd>
            </div>
          ))}
        </dl>
        <div className={kit.actions}>
          <Link
            to="/console/models/$provider/$model"
            params={{ provider, model }}
            hash={inputLink(example.inputs) ?? ""}
          >
            {words.tryIt}
          </Link>
          <Link to="/console/jobs/$jobId" params={{ jobId: example.job_id }}>
            {words.openJob}
          </Link>
        </div>
      </div>
    </li>
  );
}

function shortOf(value: unknown): string {
  const text = typeof value === "string" ? value : writeJson(value);
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}

function CallIt({ work, version }: { readonly work: Work; readonly version: WorkVersion }): ReactNode {
  const { lang = "curl" } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: config } = useQuery(configQuery);
  const { inputs } = version.form;
  const code = snippetOf[lang]({
    baseUrl: baseOf(config?.base_url ?? location.origin),
    model: work.id,
    input: firstInput(version),
    textFields: new Set(
      inputs.filter(({ kind }) => !["number", "integer", "boolean"].includes(kind)).map(({ name }) => name),
    ),
    isQueued: false,
    answerFile: null,
  });
  return (
    <Panel title={words.call}>
      <SnippetTabs
        label={words.language}
        labelOf={words.snippet}
        chosen={lang}
        onChoose={(next) =>
          void navigate({
            search: ({ lang: _old, ...now }) => (next === "curl" ? now : { ...now, lang: next }),
            replace: true,
            resetScroll: false,
          })
        }
        code={code}
      />
      <p className={kit.hint}>
        <Rich text={words.key} variable={<code>ATELIER_API_KEY</code>} />
      </p>
    </Panel>
  );
}

// Something that really runs: the first example, which ran when it was published.
const firstInput = ({ examples }: WorkVersion): Input => examples[0]?.inputs ?? {};

function FormPanel({ version }: { readonly version: WorkVersion }): ReactNode {
  const [schema] = useState(() => schemaOf(version.form));
  const [value, setValue] = useState<unknown>({});
  return (
    <Panel title={words.form}>
      {version.form.inputs.length === 0 ? (
        <p className={kit.soft}>{words.noInputs}</p>
      ) : (
        <div className={styles.form}>
          <p className={kit.hint}>{words.formText}</p>
          <SchemaForm schema={schema} value={value} onChange={setValue} />
        </div>
      )}
    </Panel>
  );
}
