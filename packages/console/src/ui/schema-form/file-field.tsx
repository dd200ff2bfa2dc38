// A file as input: dropped, pasted, picked here or from the gallery, or a typed address. The form of a work takes the id of an
// asset; where nothing may be kept, the file becomes part of the call.

import type { Asset } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { FileUp, Images, X } from "lucide-react";
import { createContext, type ReactNode, useContext, useId, useRef, useState } from "react";
import { uiForms as words } from "#strings/ui/forms";
import { asFault } from "../../api/fault.ts";
import {
  assetFileOf,
  fileOfAsset,
  type InputFile,
  inputAssetOf,
  inputFileOf,
  newestAssets,
  sentFileOf,
} from "../../api/files/input-files.ts";
import { uuidPattern } from "../../api/jobs.ts";
import { Button, buttonClass, IconButton } from "../button.tsx";
import { Dialog } from "../dialog.tsx";
import { type ControlTies, Field } from "../fields.tsx";
import { formatBytes } from "../figures.tsx";
import kit from "../kit.module.css";
import { Empty, FaultNote, Skeleton } from "../states.tsx";
import { Thumb } from "../thumb.tsx";
import { aboutOf, type FieldProps } from "./field-props.ts";
import type { FieldKind } from "./json-schema.ts";
import styles from "./schema-form.module.css";

type FileKind = Extract<FieldKind, { kind: "file" }>;

const accepted = { image: "image/*", video: "video/*", audio: "audio/*", file: "" } as const;

// Whether files travel with the call because this visitor can keep none: then there is no gallery either.
export const SentFiles = createContext(false);

export function FileInput(props: FieldProps & { readonly is: FileKind }): ReactNode {
  const { preset: _preset, placeholder: _none, ...about } = aboutOf(props);
  const { is, value, onChange, isRequired } = props;
  const isSent = useContext(SentFiles);
  const [isPicking, setPicking] = useState(false);
  const { take, state } = useTaking(onChange);
  const text = typeof value === "string" ? value : "";
  const isChosen = text.startsWith("data:") || text.length > 2_000 || (is.isAsset && uuidPattern.test(text));
  const files = (list: FileList | null | undefined): boolean => {
    const [file] = list ?? [];
    if (file !== undefined)
      take(() => (isSent ? sentFileOf(file) : is.isAsset ? assetFileOf(file) : inputFileOf(file, is.isBase64)));
    return file !== undefined;
  };
  const clear = () => onChange(isRequired && !is.isAsset ? "" : undefined);
  return (
    <Field {...about} wrong={state.wrong ?? about.wrong}>
      {(ties) => (
        <DropArea isWrong={about.wrong !== null} onFiles={files}>
          {isChosen ? (
            <Chosen text={text} file={state.file} media={is.media} ties={ties} onClear={clear} />
          ) : is.isAsset && text === "" ? (
            <div className={styles.dropHint}>
              <FileUp aria-hidden="true" />
              {words.file.drop[is.media]}
            </div>
          ) : (
            <input
              {...ties}
              type="text"
              className={kit.input}
              spellCheck={false}
              placeholder={is.isBase64 ? words.file.base64 : words.file.url}
              value={text}
              onChange={(event) => onChange(event.target.value === "" && !isRequired ? undefined : event.target.value)}
            />
          )}
          <WaysToChoose
            label={about.label}
            media={is.media}
            isBusy={state.isBusy}
            note={state.file?.wasHere && isChosen ? words.file.alreadyHere : ""}
            // Without a text field, the label names the picker itself.
            ties={is.isAsset && text === "" ? ties : null}
            onFiles={files}
            onGallery={isSent ? null : () => setPicking(true)}
          />
          {isSent ? null : (
            <GalleryPick
              isOpen={isPicking}
              kind={is.media === "file" ? undefined : is.media}
              onClose={() => setPicking(false)}
              onPick={(asset) => {
                setPicking(false);
                take(async () => (is.isAsset ? fileOfAsset(asset) : inputAssetOf(asset, is.isBase64)));
              }}
            />
          )}
        </DropArea>
      )}
    </Field>
  );
}

// Takes files that are dropped or pasted.
function DropArea(props: {
  readonly isWrong: boolean;
  // Whether there was one.
  readonly onFiles: (list: FileList) => boolean;
  readonly children: ReactNode;
}): ReactNode {
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is within does the same
    <div
      className={styles.drop}
      data-over={isOver}
      data-wrong={props.isWrong}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        props.onFiles(event.dataTransfer.files);
      }}
      onPaste={(event) => {
        if (props.onFiles(event.clipboardData.files)) event.preventDefault();
      }}
    >
      {props.children}
    </div>
  );
}

function WaysToChoose(props: {
  readonly label: string;
  readonly media: FileKind["media"];
  readonly isBusy: boolean;
  readonly note: string;
  readonly ties: ControlTies | null;
  readonly onFiles: (list: FileList | null) => void;
  readonly onGallery: (() => void) | null;
}): ReactNode {
  const { ties, isBusy } = props;
  const picker = useRef<HTMLInputElement>(null);
  const said = (
    <>
      <FileUp aria-hidden="true" />
      {isBusy ? words.uploading : words.chooseFile}
    </>
  );
  const file = {
    ref: picker,
    type: "file",
    accept: accepted[props.media],
    onChange: (event: { readonly target: HTMLInputElement }) => {
      props.onFiles(event.target.files);
      // The same file may be chosen again.
      event.target.value = "";
    },
  } as const;
  return (
    <div className={kit.actions}>
      {ties === null ? (
        <>
          <Button small disabled={isBusy} onClick={() => picker.current?.click()}>
            {said}
          </Button>
          <input {...file} hidden aria-label={words.file.picker(props.label)} />
        </>
      ) : (
        <>
          <label className={buttonClass({ small: true })} htmlFor={ties.id}>
            {said}
          </label>
          <input {...file} {...ties} required={false} disabled={isBusy} className="visually-hidden" />
        </>
      )}
      {props.onGallery === null ? null : (
        <Button small look="quiet" disabled={isBusy} onClick={props.onGallery}>
          <Images aria-hidden="true" />
          {words.file.fromGallery}
        </Button>
      )}
      <span className={kit.hint} role="status">
        {props.note}
      </span>
    </div>
  );
}

function useTaking(onChange: (value: unknown) => void) {
  const [state, setState] = useState<{ isBusy: boolean; file: InputFile | null; wrong: string | null }>({
    isBusy: false,
    file: null,
    wrong: null,
  });
  const take = (make: () => Promise<InputFile>) => {
    setState({ isBusy: true, file: null, wrong: null });
    make().then(
      (file) => {
        setState({ isBusy: false, file, wrong: null });
        onChange(file.text);
      },
      (thrown) => setState({ isBusy: false, file: null, wrong: words.file.failed(asFault(thrown).message) }),
    );
  };
  return { take, state };
}

function Chosen(props: {
  readonly text: string;
  readonly file: InputFile | null;
  readonly media: FileKind["media"];
  readonly ties: { readonly id: string };
  readonly onClear: () => void;
}): ReactNode {
  const { text, file, media } = props;
  const head = /^data:([\w.+-]+\/[\w.+-]+)/.exec(text)?.[1] ?? "";
  const isPicture = head.startsWith("image/") && head !== "image/svg+xml";
  const isAsset = uuidPattern.test(text);
  const plain = media === "image" && head === "" && !isAsset ? `data:image/*;base64,${text}` : null;
  const facts = isAsset
    ? file === null
      ? ""
      : formatBytes(file.bytes)
    : words.file.facts(head || "base64", formatBytes(file?.bytes ?? Math.round(text.length * 0.75)));
  const id = useId();
  return (
    <div className={styles.chosen}>
      {isPicture || plain ? <img src={plain ?? text} alt="" /> : null}
      {isAsset && (media === "image" || media === "video") ? <Thumb assetId={text} alt="" size={72} /> : null}
      <div id={id}>
        <strong>{file?.name ?? (isAsset ? words.file.asset : words.file.unnamed)}</strong>
        <div className={kit.hint}>{facts}</div>
      </div>
      <IconButton small label={words.file.remove} id={props.ties.id} aria-describedby={id} onClick={props.onClear}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}

function GalleryPick(props: {
  readonly isOpen: boolean;
  readonly kind: string | undefined;
  readonly onClose: () => void;
  readonly onPick: (asset: Asset) => void;
}): ReactNode {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["assets", "newest", props.kind ?? "any"],
    enabled: props.isOpen,
    queryFn: () => newestAssets(props.kind),
  });
  return (
    <Dialog title={words.file.fromGallery} size="wide" isOpen={props.isOpen} onClose={props.onClose}>
      {error ? <FaultNote fault={error} retry={() => void refetch()} /> : null}
      {isPending && !error ? <Skeleton height="7rem" count={2} /> : null}
      {data?.length === 0 ? (
        <Empty icon={Images} title={words.file.none}>
          {words.file.noneHint}
        </Empty>
      ) : null}
      <div className={styles.picks}>
        {data?.map((asset) => (
          <button key={asset.id} type="button" className={styles.pick} onClick={() => props.onPick(asset)}>
            <Thumb assetId={asset.id} alt="" size={96} />
            <span>{asset.file_path ?? asset.id}</span>
          </button>
        ))}
      </div>
    </Dialog>
  );
}
