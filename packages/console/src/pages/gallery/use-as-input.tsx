// Uses this file as an input: of a model that takes such files, or anywhere in a graph.

import type { Asset } from "@atelier/sdk";
import { writeJson } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Recycle } from "lucide-react";
import { type ReactNode, useState } from "react";
import { galleryViewer } from "#strings/gallery-viewer";
import { atelier } from "../../api/atelier.ts";
import { call } from "../../api/client.ts";
import { configQuery } from "../../api/config.ts";
import { isRecord } from "../../api/json-record.ts";
import { modelParams } from "../../api/model-id.ts";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy.tsx";
import kit from "../../ui/kit.module.css";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import styles from "./viewer/viewer.module.css";

const words = galleryViewer.input;

interface FileField {
  readonly model: string;
  readonly field: string;
}

export function UseAsInput({
  asset,
  say,
}: {
  readonly asset: Asset;
  readonly say: (words: string) => void;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { data: config } = useQuery(configQuery);
  const reference = writeJson({ __type: "core/ASSET", info: { id: asset.id } });
  return (
    <>
      <Button small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Recycle aria-hidden="true" />
        {words.use}
      </Button>
      {isOpen ? (
        <div className={styles.share}>
          <strong>{words.workflow}</strong>
          <p className={kit.soft}>{words.workflowText}</p>
          <Button
            small
            onClick={async () => {
              await copyText(reference);
              say(words.copied);
            }}
          >
            {words.copy}
          </Button>
          {config?.surface === "cloud" ? <InModels asset={asset} /> : null}
        </div>
      ) : null}
    </>
  );
}

function InModels({ asset }: { readonly asset: Asset }): ReactNode {
  const kind = asset.kind ?? "file";
  const { data, error } = useQuery({
    queryKey: ["models", "that take", kind],
    staleTime: 600_000,
    queryFn: ({ signal }) => fieldsFor(kind, signal),
  });
  const navigate = useNavigate();
  const open = async ({ model, field }: FileField) => {
    const { url } = await atelier.assets.share(asset);
    await navigate({ href: `/console/models/${model}#input=${base64Url(writeJson({ [field]: url }))}` });
  };
  return (
    <>
      <strong>{words.model}</strong>
      {error ? <FaultNote fault={error} /> : null}
      {data === undefined && !error ? <Skeleton height="2rem" /> : null}
      {data?.length === 0 ? <p className={kit.soft}>{words.noModel}</p> : null}
      <div className={kit.actions}>
        {data?.map((each) => (
          <Button key={`${each.model} ${each.field}`} small onClick={() => open(each)}>
            {each.model} · {each.field}
          </Button>
        ))}
      </div>
    </>
  );
}

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);

const modelsMax = 60;

// Fields whose name says that they take such a file; the playground knows which form it needs.
async function fieldsFor(kind: string, signal: AbortSignal): Promise<readonly FileField[]> {
  const named = { image: /image|mask|picture|photo/i, video: /video/i, audio: /audio|voice|sound/i }[kind];
  if (named === undefined) return [];
  const found: FileField[] = [];
  let count = 0;
  for await (const { id } of atelier.models.list({ signal })) {
    if (++count > modelsMax) break;
    const document = await call(operations.getInputSchema, { params: modelParams(id), signal });
    const [path] = Object.values(at(document, "paths") ?? {});
    const fields = at(path, "post", "requestBody", "content", "application/json", "schema", "properties");
    for (const [field, schema] of Object.entries(isRecord(fields) ? fields : {}))
      if (named.test(field) && at(schema, "type") === "string") found.push({ model: id, field });
  }
  return found;
}

function base64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
