// Reference for the model's API: where to call it, what it takes, what it answers.
import type { ModelDetail } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { configQuery } from "../../api/config.ts";
import { isRecord } from "../../api/json-record.ts";
import type { ModelDocument } from "../../api/models.ts";
import { CodeBlock, CopyId } from "../../ui/copy.tsx";
import kit from "../../ui/kit.module.css";
import { Facts, Panel, Stack } from "../../ui/panel.tsx";
import { isPermissive } from "../../ui/schema-form/json-schema.ts";
import { SchemaTree } from "../../ui/schema-form/schema-tree.tsx";
import { extensionOf } from "../../ui/viewers/found-media.ts";
import { firstInput } from "./input-state.ts";
import styles from "./model.module.css";
import { snippetOf } from "./snippets.ts";

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
        <Panel title="Input">
          {isPermissive(document.input) ? (
            <p className={kit.soft}>
              No schema was authored: any JSON object is accepted and handed on byte for byte. The provider checks it,
              and what it rejects comes back as 422 with its own words.
            </p>
          ) : (
            <SchemaTree schema={document.input} label="Input" />
          )}
        </Panel>
        <Panel title="Answer">
          {document.output === null ? (
            <p className={kit.soft}>
              The bytes themselves, as <code>{document.outputType}</code>; no JSON.
            </p>
          ) : (
            <SchemaTree schema={document.output} label="Answer" />
          )}
        </Panel>
      </Stack>
      <Stack>
        <Panel title="A call">
          <CodeBlock code={example} wrap label="A call with curl" />
        </Panel>
        <Panel title="Addresses">
          <Facts
            of={[
              ["Run at once", <CopyId key="run" id={`POST ${path}`} short={false} />],
              ["Run queued", <CopyId key="queue" id={`POST ${path}/requests`} short={false} />],
              ["Estimate", <CopyId key="estimate" id={`POST ${path}/estimate`} short={false} />],
              ["Document", <CopyId key="document" id={`GET ${path}/openapi.json`} short={false} />],
            ]}
          />
        </Panel>
        <Panel title="Good to know">
          <ul className={styles.notes}>
            <li>Integers beyond 2^53 are kept exactly, in both directions.</li>
            <li>
              Under an <code>Idempotency-Key</code> a call is paid once; the same key brings the same answer again.
            </li>
            <li>
              <code>X-Service-Max-Credits</code> refuses what could cost more, before anything runs.
            </li>
            <li>{refusalWords[model.billing.charges_on_policy_rejection] ?? refusalWords["unknown"]}</li>
            <li>
              A call that outlasts its connection goes on: 504 <code>deadline_exceeded</code>, collected with its key.
            </li>
          </ul>
        </Panel>
      </Stack>
    </div>
  );
}

const refusalWords: Readonly<Record<string, string>> = {
  no: "A refusal on policy grounds costs nothing.",
  yes: "A refusal on policy grounds is charged: the provider charges for it.",
  unknown: "Whether a refusal on policy grounds is charged is not verified for this model.",
};
