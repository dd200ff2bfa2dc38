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
  const { face, spoken } = useFace(item);
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
        aria-label={words.name(item.name, spoken, { isStarred, rating, isSelected: isChosen })}
        onClick={(event) => props.onPick(item, event)}
        onFocus={() => props.onActive(item.id)}
        draggable={false}
      >
        <span className={styles.caption} aria-hidden="true">
          {item.name.split("/").at(-1)}
        </span>{" "}
        {face}
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

interface Face {
  readonly face: ReactNode;
  // Follows the name in what is spoken, and begins with the visible text: a tile can be spoken as it is read.
  readonly spoken: string;
}

function useFace(item: Item): Face {
  const thumb = useObjectUrl(item.kind === "image" ? `/api/v2/assets/${item.id}/thumbnail` : null);
  const [seconds, setSeconds] = useState<number | "gone" | null>(null);
  const kind = kindWords[item.kind] ?? words.file;
  if (item.kind === "video" && item.url !== null && seconds !== "gone")
    return {
      face: <FilmFace url={item.url} seconds={seconds} onSeconds={setSeconds} />,
      spoken: seconds !== null && Number.isFinite(seconds) ? `${lengthOf(seconds)}, ${kind}` : kind,
    };
  if (item.kind !== "image" || thumb === "gone")
    return { face: <PlainFace item={item} />, spoken: `${endingOf(item)} ${formatBytes(item.bytes)}, ${kind}` };
  if (thumb === null) return { face: <span className={styles.coming} />, spoken: kind };
  return { face: <img className={styles.picture} src={thumb} alt="" draggable={false} />, spoken: kind };
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

interface FilmFaceProps {
  readonly url: string;
  readonly seconds: number | null;
  readonly onSeconds: (seconds: number | "gone") => void;
}

// A video's first frame, read from its first bytes, and its length.
function FilmFace({ url, seconds, onSeconds }: FilmFaceProps): ReactNode {
  return (
    <>
      <video
        className={styles.picture}
        src={`${url}#t=0.1`}
        preload="metadata"
        muted
        playsInline
        tabIndex={-1}
        onLoadedMetadata={(event) => onSeconds(event.currentTarget.duration)}
        onError={() => onSeconds("gone")}
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
