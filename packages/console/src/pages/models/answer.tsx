// A model's answer for people: media first, then text, then the raw answer.
import type { ModelResult } from "@atelier/sdk";
import { Link } from "@tanstack/react-router";
import { Check, Images } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { models } from "#strings/models";
import { shared } from "#strings/shared";
import { Button } from "../../ui/button.tsx";
import { CheckField } from "../../ui/fields.tsx";
import { formatBytes } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { foundMedia, foundText, kindOf, type Medium, mediumOfBytes } from "../../ui/viewers/found-media.ts";
import { JsonTree } from "../../ui/viewers/json-tree.tsx";
import { readKeeping, useKept, writeKeeping } from "../../ui/viewers/keep-output.ts";
import { ForeignLink, MediaView, useBytesUrl } from "../../ui/viewers/media-view.tsx";
import viewers from "../../ui/viewers/viewers.module.css";
import styles from "./model.module.css";
import { OutputTools, type OutputUse } from "./output-tools.tsx";

const words = models.answer;

interface AnswerProps {
  readonly model: string;
  readonly result: ModelResult<unknown>;
  readonly use: OutputUse;
  // For use next to others: without the tree and the choice.
  readonly isSmall?: boolean;
  // Called once, when every output has been saved as an asset, or will not be.
  readonly onKept?: (assetIds: readonly string[]) => void;
}

export function Answer({ model, result, use, isSmall, onKept }: AnswerProps): ReactNode {
  const isJson = result.data !== null;
  const media = useMemo(() => (isJson ? foundMedia(result.data) : [mediumOfBytes(result)]), [result, isJson]);
  const text = useMemo(() => (isJson && media.length === 0 ? foundText(result.data) : null), [result, isJson, media]);
  const [isKeeping, setKeeping] = useState(readKeeping);
  const noteKept = useAllKept(media.length, onKept);
  return (
    <>
      {media.length > 0 ? (
        <div className={styles.media} data-many={media.length > 1}>
          {media.map((medium, at) => (
            <OneMedium
              // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its position
              key={at}
              medium={medium}
              number={at + 1}
              model={model}
              result={result}
              use={use}
              isKeeping={isKeeping}
              isSmall={isSmall}
              onKept={noteKept}
            />
          ))}
        </div>
      ) : null}
      {text === null ? null : <p className={viewers.text}>{text}</p>}
      {isJson && !isSmall ? (
        <details className={styles.answer} open={media.length === 0 && text === null}>
          <summary>{words.raw(formatBytes(result.bytes.byteLength))}</summary>
          <JsonTree value={result.data} label={words.json} />
        </details>
      ) : null}
      {media.some(({ assetId }) => assetId === undefined) && !isSmall ? (
        <CheckField
          label={words.keep}
          checked={isKeeping}
          onChange={(event) => {
            setKeeping(event.target.checked);
            writeKeeping(event.target.checked);
          }}
        />
      ) : null}
    </>
  );
}

// Collects the ids of the outputs. Null: this one is not saved.
function useAllKept(count: number, onKept: AnswerProps["onKept"]) {
  const ids = useRef(new Map<number, string | null>());
  const isTold = useRef(false);
  const tell = useRef(onKept);
  tell.current = onKept;
  const finish = useCallback(() => {
    if (isTold.current || ids.current.size < count) return;
    isTold.current = true;
    const inOrder = [...ids.current].sort(([one], [other]) => one - other).map(([, id]) => id);
    tell.current?.(inOrder.filter((id) => id !== null));
  }, [count]);
  useEffect(finish, [finish]);
  return useCallback(
    (number: number, id: string | null) => {
      ids.current.set(number, id);
      finish();
    },
    [finish],
  );
}

function OneMedium(props: {
  readonly medium: Medium;
  readonly number: number;
  readonly model: string;
  readonly result: ModelResult<unknown>;
  readonly use: OutputUse;
  readonly isKeeping: boolean;
  readonly isSmall: boolean | undefined;
  readonly onKept: (number: number, assetId: string | null) => void;
}): ReactNode {
  const { medium, model, result, number, onKept } = props;
  const { state, keepNow } = useKept(medium, { model, result }, props.isKeeping);
  const memory = useBytesUrl(medium.from === "bytes" ? medium.bytes : null, medium.from === "bytes" ? medium.type : "");
  const kept = state.is === "kept" ? state.asset : null;
  const own = medium.assetId !== undefined;
  const src = memory ?? (own && medium.from === "address" ? medium.url : (kept?.url ?? null));
  const assetId = medium.assetId ?? kept?.id;
  const kind = medium.from === "bytes" ? kindOf(medium.type) : kept ? kindOf(kept.content_type) : medium.kind;
  const alt = words.alt(number, model);
  const isSettled = assetId !== undefined || state.is === "off" || state.is === "failed";
  useEffect(() => {
    if (isSettled) onKept(number, assetId ?? null);
  }, [isSettled, number, assetId, onKept]);
  return (
    <figure className={styles.medium} data-kept={state.is}>
      <OutputTools src={src} name={medium.name} kind={kind} assetId={assetId} use={props.use} isSmall={props.isSmall}>
        {src ? (
          <MediaView
            src={src}
            kind={kind}
            alt={alt}
            name={medium.name}
            bytes={medium.from === "bytes" ? medium.bytes.byteLength : kept?.size_bytes}
          />
        ) : (
          <div className={styles.hold}>{state.is === "keeping" ? words.fetching : <Images aria-hidden="true" />}</div>
        )}
      </OutputTools>
      <figcaption className={styles.mediumFoot}>
        {state.is === "keeping" ? words.saving : null}
        {assetId ? (
          <>
            <span className={kit.copyable}>
              <Check aria-hidden="true" size={15} />
              {words.saved}
            </span>
            <Link to="/console/gallery" search={{ asset: assetId } as never}>
              {words.open}
            </Link>
          </>
        ) : null}
        {state.is === "failed" ? <span>{words.notSaved(state.fault.message)}</span> : null}
        {!own && (state.is === "off" || state.is === "failed") ? (
          <Button small onClick={keepNow}>
            {state.is === "off" ? words.save : shared.tryAgain}
          </Button>
        ) : null}
        {medium.from === "address" && !kept && !own ? <ForeignLink url={medium.url} /> : null}
      </figcaption>
    </figure>
  );
}
