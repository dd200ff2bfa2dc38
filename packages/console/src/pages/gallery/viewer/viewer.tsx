// One item, large: its own address, on top of the gallery. Every action has a key.

import type { Asset } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Columns2, Download, Info, Star, Trash2, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useState } from "react";
import { galleryViewer } from "#strings/gallery-viewer";
import { configQuery } from "../../../api/config.ts";
import { asFault } from "../../../api/fault.ts";
import { operations } from "../../../api/operations.ts";
import { IconButton } from "../../../ui/button.tsx";
import { FaultNote } from "../../../ui/states.tsx";
import { whyNotDeleted } from "../delete-later.ts";
import { downloadOne } from "../download.ts";
import { focusTile } from "../grid.tsx";
import { InfoPanel } from "../info.tsx";
import { assetQuery, type Item, itemOf } from "../items.ts";
import { type Rating, rated, ratingIn, starring, starTag } from "../marks.ts";
import { RatingStars } from "../rating.tsx";
import { useSource } from "../source.ts";
import { useMark } from "../use-mark.ts";
import { type Backdrop, Overlay } from "./overlay.tsx";
import { PictureStage, type StageKeys } from "./picture-stage.tsx";
import { OtherStage } from "./stages.tsx";
import styles from "./viewer.module.css";

const words = galleryViewer.bar;

interface ViewerProps {
  readonly id: string;
  readonly items: readonly Item[];
  // Whether there are more items than loaded so far.
  readonly hasMore: boolean;
  readonly onShow: (id: string) => void;
  readonly onCompare: (ids: readonly string[]) => void;
  readonly onDelete: (item: Item) => void;
  readonly onClose: () => void;
  readonly onNearEnd: () => void;
}

export function Viewer(props: ViewerProps): ReactNode {
  const { id, items } = props;
  const { data: asset, error, refetch } = useQuery(assetQuery(id));
  const [hasInfo, setInfo] = useState(() => innerWidth > 900);
  const [backdrop, setBackdrop] = useState<Backdrop>("grey");
  const [keys, setKeys] = useState<StageKeys | null>(null);
  const [notice, say] = useNotice();
  const at = items.findIndex((item) => item.id === id);
  const [back, on] = at < 0 ? [undefined, undefined] : [items[at - 1], items[at + 1]];
  const { onNearEnd } = props;
  useEffect(() => {
    if (at >= 0 && at > items.length - 5) onNearEnd();
  }, [at, items.length, onNearEnd]);
  const actions = useActions(props, asset, items[at], say);
  const other = [on, back].find((item) => item?.kind === "image");
  const compare = () =>
    other && asset?.kind === "image" ? props.onCompare([id, other.id]) : say(words.nothingToCompare);
  const onKey = (event: KeyboardEvent) => {
    const run: Readonly<Record<string, (() => void) | undefined>> = {
      ArrowRight: () => on && props.onShow(on.id),
      ArrowLeft: () => back && props.onShow(back.id),
      "+": keys?.closer,
      "=": keys?.closer,
      "-": keys?.further,
      f: keys?.fit,
      z: keys?.oneToOne,
      ...Object.fromEntries(([0, 1, 2, 3, 4, 5] as const).map((rating) => [rating, () => actions.rate(rating)])),
      c: compare,
      i: () => setInfo(!hasInfo),
      s: actions.star,
      d: actions.download,
      Delete: actions.remove,
    };
    const found = run[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (found === undefined || (event.target as HTMLElement).matches("input[type=range], video, audio")) return;
    event.preventDefault();
    found();
  };
  const name = asset?.file_path?.split("/").at(-1) ?? items[at]?.name ?? galleryViewer.fallbackName;
  return (
    <Overlay label={name} onClose={props.onClose} onClosed={() => focusTile(id)} onKey={onKey}>
      <div className={styles.frame}>
        <Bar
          name={name}
          count={at >= 0 ? words.position(at + 1, items.length, props.hasMore) : null}
          actions={actions}
          hasInfo={hasInfo}
          onCompare={compare}
          onInfo={() => setInfo(!hasInfo)}
          onClose={props.onClose}
        />
        <ViewerStage
          asset={asset}
          fault={error}
          retry={refetch}
          backdrop={backdrop}
          onBackdrop={setBackdrop}
          onKeys={setKeys}
        >
          {back ? <Turn way="back" onTurn={() => props.onShow(back.id)} /> : null}
          {on ? <Turn way="on" onTurn={() => props.onShow(on.id)} /> : null}
          <span role="status">{notice ? <span className={styles.notice}>{notice}</span> : null}</span>
        </ViewerStage>
        {hasInfo && asset ? (
          <InfoPanel asset={asset} say={say}>
            <RatingStars rating={actions.rating} onRate={actions.rate} />
          </InfoPanel>
        ) : null}
      </div>
    </Overlay>
  );
}

function Bar(props: {
  readonly name: string;
  readonly count: string | null;
  readonly actions: ReturnType<typeof useActions>;
  readonly hasInfo: boolean;
  readonly onCompare: () => void;
  readonly onInfo: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const { name, actions } = props;
  return (
    <header className={styles.bar}>
      <IconButton label={galleryViewer.close} onClick={props.onClose}>
        <X aria-hidden="true" />
      </IconButton>
      <h2 title={name}>{name}</h2>
      {props.count === null ? null : <span className={styles.count}>{props.count}</span>}
      <IconButton label={words.compare} onClick={props.onCompare}>
        <Columns2 aria-hidden="true" />
      </IconButton>
      <IconButton
        does={operations.changeAssetTags}
        label={actions.isStarred ? words.unstar : words.star}
        aria-pressed={actions.isStarred}
        onClick={actions.star}
      >
        <Star aria-hidden="true" fill={actions.isStarred ? "currentColor" : "none"} />
      </IconButton>
      <IconButton label={words.download} onClick={actions.download}>
        <Download aria-hidden="true" />
      </IconButton>
      <IconButton
        does={operations.deleteAsset}
        label={words.delete}
        why={actions.whyNotRemove}
        onClick={actions.remove}
      >
        <Trash2 aria-hidden="true" />
      </IconButton>
      <IconButton label={words.details} aria-pressed={props.hasInfo} onClick={props.onInfo}>
        <Info aria-hidden="true" />
      </IconButton>
    </header>
  );
}

function Turn({ way, onTurn }: { readonly way: "back" | "on"; readonly onTurn: () => void }): ReactNode {
  const label = way === "back" ? words.previous : words.next;
  return (
    <button type="button" className={styles.turn} data-way={way} aria-label={label} onClick={onTurn}>
      {way === "back" ? <ChevronLeft aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
    </button>
  );
}

// A short notice over the picture, for two seconds, because toasts would be below this dialog.
function useNotice(): [string, (words: string) => void] {
  const [notice, setNotice] = useState("");
  useEffect(() => {
    if (notice === "") return;
    const timer = setTimeout(() => setNotice(""), 2_500);
    return () => clearTimeout(timer);
  }, [notice]);
  return [notice, setNotice];
}

function useActions(
  props: ViewerProps,
  asset: Asset | undefined,
  listed: Item | undefined,
  say: (words: string) => void,
) {
  const mark = useMark();
  const item = asset === undefined ? listed : itemOf(asset);
  const isStarred = item?.tags.includes(starTag) ?? false;
  const { data: config } = useQuery(configQuery);
  const whyNotRemove = whyNotDeleted(item, config?.surface);
  return {
    isStarred,
    whyNotRemove,
    star: () => {
      if (item === undefined) return;
      say(isStarred ? words.unstarred : words.starred);
      void mark([item], starring(!isStarred), (thrown) => say(words.starFailed(asFault(thrown).message)));
    },
    rating: ratingIn(item?.tags ?? []),
    rate: (rating: Rating) => {
      if (item === undefined) return;
      say(galleryViewer.rating.said(rating));
      void mark([item], rated(rating), (thrown) => say(galleryViewer.rating.failed(asFault(thrown).message)));
    },
    download: () => {
      if (item === undefined) return;
      say(words.downloading);
      downloadOne(item).catch((thrown) => say(words.downloadFailed(asFault(thrown).message)));
    },
    remove: () => {
      if (item === undefined) return;
      if (whyNotRemove === null) props.onDelete(item);
      else say(whyNotRemove);
    },
  };
}

function ViewerStage(props: {
  readonly asset: Asset | undefined;
  readonly fault: unknown;
  readonly retry: () => void;
  readonly backdrop: Backdrop;
  readonly onBackdrop: (backdrop: Backdrop) => void;
  readonly onKeys: (keys: StageKeys | null) => void;
  readonly children: ReactNode;
}): ReactNode {
  const { asset, fault } = props;
  const source = useSource(asset);
  const { retry } = props;
  // The URL may have expired while the tab slept; get a fresh one, once.
  const [isTriedAgain, setTriedAgain] = useState<string | null>(null);
  const onBroken = useCallback(() => {
    if (asset === undefined || isTriedAgain === asset.id) return;
    setTriedAgain(asset.id);
    retry();
  }, [asset, isTriedAgain, retry]);
  if (fault)
    return (
      <div className={styles.stage} data-plain="true">
        <div style={{ maxWidth: "34rem" }}>
          <FaultNote fault={fault} gone={galleryViewer.gone} retry={retry} />
        </div>
        {props.children}
      </div>
    );
  if (asset?.kind === "image" || asset === undefined)
    return (
      <PictureStage
        asset={asset}
        source={source}
        backdrop={props.backdrop}
        onBackdrop={props.onBackdrop}
        onKeys={props.onKeys}
        onBroken={onBroken}
      >
        {props.children}
      </PictureStage>
    );
  return (
    <div className={styles.stage} data-plain="true" data-backdrop={props.backdrop}>
      <OtherStage asset={asset} source={source} />
      {props.children}
    </div>
  );
}
