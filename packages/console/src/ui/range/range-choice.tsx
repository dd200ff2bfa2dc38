// The time range of a page. After a zoom it shows the range and a way back.

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { uiCharts as words } from "#strings/ui/charts";
import { IconButton } from "../button.tsx";
import { classNames } from "../class-names.ts";
import kit from "../kit.module.css";
import styles from "./range.module.css";
import { type RangeName, type RangeSearch, ranges, rangeWords } from "./range.ts";

export function RangeChoice(props: {
  readonly search: RangeSearch;
  readonly otherwise: RangeName;
  readonly onChoose: (search: RangeSearch) => void;
}): ReactNode {
  const { search, otherwise, onChoose } = props;
  if (search.from !== undefined && search.to !== undefined) {
    return (
      <span className={classNames(kit.chip, styles.zoomed)} data-tone="accent">
        {shortly(search.from)} – {shortly(search.to)}
        <IconButton small label={words.leaveRange} onClick={() => onChoose({})}>
          <X aria-hidden="true" />
        </IconButton>
      </span>
    );
  }
  const chosen = search.range ?? otherwise;
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">{words.range}</legend>
      {ranges.map((range) => (
        <button
          key={range}
          type="button"
          aria-pressed={range === chosen}
          title={rangeWords[range]}
          onClick={() => onChoose(range === otherwise ? {} : { range })}
        >
          {words.shortRanges[range]}
        </button>
      ))}
    </fieldset>
  );
}

function shortly(at: string): string {
  return new Date(at).toLocaleString(undefined, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
}
