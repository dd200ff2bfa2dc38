// One output with its tools: full size, download, share, and back into the form as an input.
import { ImageDown } from "lucide-react";
import { type ReactNode, useState } from "react";
import { models } from "#strings/models";
import { atelier } from "../../api/atelier.ts";
import { fileOfAsset, inputAssetOf } from "../../api/files/input-files.ts";
import { Menu } from "../../ui/menu.tsx";
import { fieldKind, membersOf, resolved, type Schema } from "../../ui/schema-form/json-schema.ts";
import { toast, toastFault } from "../../ui/toast-store.ts";
import type { MediaKind } from "../../ui/viewers/found-media.ts";
import { MediumTools, Tool, Zoomable } from "../../ui/viewers/medium-tools.tsx";

const words = models.tools;

// How an output gets back into the form. Null where there is no form.
export type OutputUse = {
  readonly schema: Schema;
  readonly onInput: (name: string, value: string) => void;
} | null;

export function OutputTools(props: {
  readonly src: string | null;
  readonly name: string;
  readonly kind: MediaKind;
  readonly assetId: string | undefined;
  readonly use: OutputUse;
  readonly isSmall?: boolean | undefined;
  readonly children: ReactNode;
}): ReactNode {
  const { src, kind, assetId, use } = props;
  const [isZoomed, setZoomed] = useState(false);
  const fields = use === null || assetId === undefined ? [] : fieldsFor(use.schema, kind);
  const put = async ({ name, isAsset, isBase64 }: FileField) => {
    try {
      const asset = await atelier.assets.get(assetId ?? "");
      const { text } = isAsset ? fileOfAsset(asset) : await inputAssetOf(asset, isBase64);
      use?.onInput(name, text);
      toast(words.used(name));
    } catch (thrown) {
      toastFault(thrown, words.using);
    }
  };
  const [only, ...more] = fields;
  return (
    <>
      {src === null || kind === "file" ? null : (
        <MediumTools
          src={src}
          name={props.name}
          isPicture={kind === "image"}
          isZoomed={isZoomed}
          onZoom={() => setZoomed((now) => !now)}
          asset={assetId === undefined ? null : { id: assetId }}
          isSmall={props.isSmall}
        >
          {only === undefined ? null : more.length === 0 ? (
            <Tool icon={ImageDown} label={words.use} isSmall={props.isSmall} onClick={() => void put(only)} />
          ) : (
            <Menu
              small
              trigger={words.use}
              entries={fields.map((field) => ({ label: field.name, onPick: () => void put(field) }))}
            />
          )}
        </MediumTools>
      )}
      <Zoomable isZoomed={isZoomed}>{props.children}</Zoomable>
    </>
  );
}

interface FileField {
  readonly name: string;
  readonly isAsset: boolean;
  readonly isBase64: boolean;
}

function fieldsFor(schema: Schema, kind: MediaKind): readonly FileField[] {
  return membersOf(resolved(schema, schema), schema).flatMap(({ name, schema: field }) => {
    const is = fieldKind(field, schema, name);
    if (is.kind !== "file" || (is.media !== "file" && is.media !== kind)) return [];
    return [{ name, isAsset: is.isAsset, isBase64: is.isBase64 }];
  });
}
