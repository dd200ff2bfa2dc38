// The gallery's filters. Each choice is part of the address; text goes there when typing pauses.

import { useNavigate } from "@tanstack/react-router";
import { Search, Star, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { gallery } from "#strings/gallery";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Select } from "../../ui/fields.tsx";
import { useTypedText } from "../../ui/filter-bar/use-typed-text.ts";
import kit from "../../ui/kit.module.css";
import styles from "./gallery.module.css";
import { ratings } from "./marks.ts";
import { filterIn, type GallerySearch, isNarrowed } from "./search.ts";

const words = gallery.filters;

const kindChoices = [
  { value: "", label: words.kinds.all },
  { value: "image", label: words.kinds.image },
  { value: "video", label: words.kinds.video },
  { value: "audio", label: words.kinds.audio },
  { value: "text", label: words.kinds.text },
  { value: "file", label: words.kinds.file },
  { value: "latent", label: words.kinds.latent },
];
const timeChoices = [
  { value: "", label: words.times.all },
  { value: "1d", label: words.times.day },
  { value: "7d", label: words.times.week },
  { value: "30d", label: words.times.month },
  { value: "days", label: words.times.days },
];
const ratingChoices = [
  { value: "", label: words.anyRating },
  ...ratings.toReversed().map((rating) => ({ value: String(rating), label: words.rated(rating) })),
];
const sources = [
  [undefined, words.sources.all],
  ["output", words.sources.output],
  ["upload", words.sources.upload],
] as const;

export function useSetSearch(): (
  change: Partial<Record<keyof GallerySearch, unknown>>,
  options?: { replace?: boolean },
) => void {
  const navigate = useNavigate();
  return (change, { replace = true } = {}) =>
    void navigate({
      to: "/console/gallery",
      search: (old: object) =>
        Object.fromEntries(
          Object.entries({ ...old, ...change }).filter(([, value]) => value !== undefined && value !== ""),
        ) as GallerySearch,
      replace,
      resetScroll: false,
    });
}

function Sources(props: {
  readonly source: GallerySearch["source"];
  readonly onChange: (source: GallerySearch["source"]) => void;
}): ReactNode {
  return (
    <fieldset className={styles.segments} aria-label={words.source}>
      {sources.map(([value, label]) => (
        <button key={label} type="button" aria-pressed={props.source === value} onClick={() => props.onChange(value)}>
          {label}
        </button>
      ))}
    </fieldset>
  );
}

export function Filters({ search }: { readonly search: GallerySearch }): ReactNode {
  const set = useSetSearch();
  const hasDays = search.from !== undefined || search.to !== undefined;
  const [isChoosingDays, setChoosingDays] = useState(hasDays);
  const days = isChoosingDays || hasDays;
  return (
    <search className={styles.filters}>
      <Sources source={search.source} onChange={(source) => set({ source })} />
      <Select
        label={words.kind}
        choices={kindChoices}
        value={search.kind ?? ""}
        onChange={(event) => set({ kind: event.target.value })}
      />
      <Select
        label={words.when}
        choices={timeChoices}
        value={days ? "days" : (search.since ?? "")}
        onChange={({ target: { value } }) => {
          setChoosingDays(value === "days");
          set({ since: value === "days" ? undefined : value, from: undefined, to: undefined });
        }}
      />
      {days ? (
        <>
          <DayField label={words.from} value={search.from} onChange={(from) => set({ from, since: undefined })} />
          <DayField label={words.to} value={search.to} onChange={(to) => set({ to, since: undefined })} />
        </>
      ) : null}
      <div className={styles.search}>
        <Search aria-hidden="true" />
        <LateText
          label={words.name}
          placeholder={words.namePlaceholder}
          value={search.q ?? ""}
          onChange={(q) => set({ q })}
        />
      </div>
      <div className={styles.shortField}>
        <LateText
          label={words.label}
          placeholder={words.labelPlaceholder}
          value={search.label ?? ""}
          onChange={(label) => set({ label })}
        />
      </div>
      <Select
        label={words.rating}
        choices={ratingChoices}
        value={search.rating ?? ""}
        onChange={(event) => set({ rating: event.target.value })}
      />
      <Button
        iconOnly
        aria-label={words.starred}
        title={words.starred}
        aria-pressed={search.starred === true}
        look={search.starred ? "primary" : undefined}
        onClick={() => set({ starred: search.starred ? undefined : true })}
      >
        <Star aria-hidden="true" fill={search.starred ? "currentColor" : "none"} />
      </Button>
      {search.expiring ? <Chip tone="accent">{words.expiring}</Chip> : null}
      {search.job ? <Chip tone="accent">{words.job(search.job.slice(0, 8))}</Chip> : null}
      {isNarrowed(search) ? (
        <Button
          look="quiet"
          onClick={() => {
            setChoosingDays(false);
            set(Object.fromEntries(Object.keys(filterIn(search)).map((name) => [name, undefined])));
          }}
        >
          <X aria-hidden="true" />
          {words.clear}
        </Button>
      ) : null}
    </search>
  );
}

function DayField(props: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}): ReactNode {
  return (
    <input
      type="date"
      aria-label={props.label}
      className={kit.input}
      style={{ width: "auto" }}
      value={props.value ?? ""}
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
}

function LateText(props: {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const typed = useTypedText(props.value, props.onChange);
  return (
    <input
      type="search"
      aria-label={props.label}
      placeholder={props.placeholder ?? props.label}
      className={kit.input}
      {...typed}
    />
  );
}
