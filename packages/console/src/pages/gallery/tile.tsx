// One item in the grid. Its box has its size before anything loads; clicking anywhere opens the viewer.

import { Check, Play, Star } from "lucide-react";
import { type MouseEvent, memo, type ReactNode, useState } from "react";
import { gallery } from "#strings/gallery";
import { formatBytes } from "../../ui/figures.tsx";
import { KindIcon, kindWords } from "../../ui/kind-icon.tsx";
import { useObjectUrl } from "../../ui/thumb.tsx";
import styles from "./gallery.module.css";
import type { Item } from "./items.ts";
import { ratingIn, starTag } from "./marks.ts";

const words = gallery.tile;

export interface TileProps {
  readonly item: Item;
  readonly at: number;
  readonly of: number;
  readonly size: number;
  readonly left: number;
  readonly top: number;
  readonly isChosen: boolean;
  readonly isActive: boolean;
  readonly href: string;
  readonly onPick: (item: Item, event: MouseEvent) => void;
  readonly onToggle: (item: Item, isRange: boolean) => void;
  readonly onActive: (id: string) => void;
}

export const Tile = memo(function Tile(props: TileProps): ReactNode {
  const { item, size, isChosen } = props;
  const isStarred = item.tags.includes(starTag);
  const rating = ratingIn(item.tags);
  return (
    <li
      aria-posinset={props.at + 1}
      aria-setsize={props.of}
      className={styles.tile}
      data-entry={item.id}
      data-chosen={isChosen}
      style={{ width: size, height: size, transform: `translate(${props.left}px, ${props.top}px)` }}
    >
      <a
        href={props.href}
        className={styles.open}
        data-tile={item.id}
        tabIndex={props.isActive ? 0 : -1}
        aria-label={words.name(item.name, faceWords(item), { isStarred, rating, isSelected: isChosen })}
        onClick={(event) => props.onPick(item, event)}
        onFocus={() => props.onActive(item.id)}
        draggable={false}
      >
        <Face item={item} />
        <span className={styles.caption} aria-hidden="true">
          {item.name.split("/").at(-1)}
        </span>
      </a>
      {isStarred || rating > 0 ? (
        <span className={styles.starred} aria-hidden="true">
          {isStarred ? <Star size={14} fill="currentColor" /> : null}
          {rating > 0 ? <b>{`${rating}★`}</b> : null}
        </span>
      ) : null}
      <button
        type="button"
        className={styles.choose}
        tabIndex={-1}
        aria-label={words.select(item.name)}
        aria-pressed={isChosen}
        onClick={(event) => props.onToggle(item, event.shiftKey)}
      >
        <Check aria-hidden="true" size={14} strokeWidth={3} />
      </button>
    </li>
  );
});

function Face({ item }: { readonly item: Item }): ReactNode {
  const thumb = useObjectUrl(item.kind === "image" ? `/api/v2/assets/${item.id}/thumbnail` : null);
  if (item.kind === "video" && item.url !== null) return <FilmFace item={item} url={item.url} />;
  if (item.kind !== "image" || thumb === "gone") return <PlainFace item={item} />;
  return thumb === null ? (
    <span className={styles.coming} />
  ) : (
    <img className={styles.picture} src={thumb} alt="" draggable={false} />
  );
}

function PlainFace({ item }: { readonly item: Item }): ReactNode {
  return (
    <span className={styles.plain} data-kind={item.kind}>
      <KindIcon kind={item.kind} />
      <b>{endingOf(item)}</b> <span>{formatBytes(item.bytes)}</span>
    </span>
  );
}

const endingOf = (item: Item): string =>
  (/\.([a-z0-9]{1,8})$/i.exec(item.name)?.[1] ?? kindWords[item.kind] ?? "").toUpperCase();

// A tile's accessible name contains its visible text, so that it can be spoken as it is read.
const faceWords = (item: Item): string =>
  item.kind === "image" || item.kind === "video"
    ? (kindWords[item.kind] ?? words.file)
    : `${kindWords[item.kind] ?? words.file}, ${endingOf(item)} ${formatBytes(item.bytes)}`;

// A video's first frame, read from its first bytes, and its length.
function FilmFace({ item, url }: { readonly item: Item; readonly url: string }): ReactNode {
  const [seconds, setSeconds] = useState<number | "gone" | null>(null);
  if (seconds === "gone") return <PlainFace item={item} />;
  return (
    <>
      <video
        className={styles.picture}
        src={`${url}#t=0.1`}
        preload="metadata"
        muted
        playsInline
        tabIndex={-1}
        onLoadedMetadata={(event) => setSeconds(event.currentTarget.duration)}
        onError={() => setSeconds("gone")}
      />
      <span className={styles.length}>
        <Play aria-hidden="true" size={12} fill="currentColor" />
        {seconds === null ? words.video : lengthOf(seconds)}
      </span>
    </>
  );
}

export function lengthOf(seconds: number): string {
  if (!Number.isFinite(seconds)) return words.video;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
