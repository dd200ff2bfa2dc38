// Reference for the model's API: where to call it, what it takes, what it answers.
import type { ModelDetail } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { models } from "#strings/models";
import { configQuery } from "../../api/config.ts";
import { isRecord } from "../../api/json-record.ts";
import type { ModelDocument } from "../../api/models.ts";
import { CodeBlock, CopyId } from "../../ui/copy.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, Panel, Stack } from "../../ui/panel.tsx";
import { firstInput } from "../../ui/schema-form/first-input.ts";
import { isPermissive } from "../../ui/schema-form/json-schema.ts";
import { SchemaTree } from "../../ui/schema-form/schema-tree.tsx";
import { snippetOf } from "../../ui/snippets/model-call/snippets.ts";
import { Rich } from "../../ui/text/rich.tsx";
import { extensionOf } from "../../ui/viewers/found-media.ts";
import styles from "./model.module.css";
import { refusalWords } from "./refusal-words.ts";

const words = models.api;

export function ApiTab({
  model,
  document,
}: {
  readonly model: ModelDetail;
  readonly document: ModelDocument;
}): ReactNode {
  const { data: config } = useQuery(configQuery);
  const base = (config?.base_url ?? location.origin).replace(/\/$/, "");
  const path = `/v1/models/${model.id}`;
  const properties = isRecord(document.input["properties"]) ? document.input["properties"] : {};
  const texts = Object.entries(properties).filter(([, field]) => isRecord(field) && field["type"] === "string");
  const example = snippetOf.curl({
    baseUrl: base,
    model: model.id,
    input: firstInput(document.input),
    textFields: new Set(texts.map(([name]) => name)),
    isQueued: false,
    answerFile: document.output === null ? `answer.${extensionOf(document.outputType)}` : null,
  });
  return (
    <div className={styles.twoColumns}>
      <Stack>
        <Panel title={words.input}>
          {isPermissive(document.input) ? (
            <p className={kit.soft}>{words.noSchema}</p>
          ) : (
            <SchemaTree schema={document.input} label={words.input} />
          )}
        </Panel>
        <Panel title={words.answer}>
          {document.output === null ? (
            <p className={kit.soft}>
              <Rich text={words.bytes} type={<code>{document.outputType}</code>} />
            </p>
          ) : (
            <SchemaTree schema={document.output} label={words.answer} />
          )}
        </Panel>
      </Stack>
      <Stack>
        <Panel title={words.example}>
          <CodeBlock code={example} wrap label={words.exampleCurl} />
        </Panel>
        <Panel title={words.endpoints}>
          <Facts
            of={[
              [words.direct, <CopyId key="run" id={`POST ${path}`} short={false} />],
              [words.queued, <CopyId key="queue" id={`POST ${path}/requests`} short={false} />],
              [words.estimate, <CopyId key="estimate" id={`POST ${path}/estimate`} short={false} />],
              [words.document, <CopyId key="document" id={`GET ${path}/openapi.json`} short={false} />],
            ]}
          />
        </Panel>
        <Panel title={words.notes}>
          <ul className={styles.notes}>
            <li>{words.integers}</li>
            <li>
              <Rich text={words.idempotency} header={<code>Idempotency-Key</code>} />
            </li>
            <li>
              <Rich text={words.maxCredits} header={<code>X-Service-Max-Credits</code>} />
            </li>
            <li>{refusalWords(model.billing.charges_on_policy_rejection).text}</li>
            <li>
              <Rich text={words.deadline} code={<code>deadline_exceeded</code>} />
            </li>
          </ul>
        </Panel>
      </Stack>
    </div>
  );
}
