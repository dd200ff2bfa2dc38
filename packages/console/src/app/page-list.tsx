// How the list of pages looks. It uses neither router nor account, so that the document can contain it before any script runs.

import { BookOpen, GraduationCap } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { app as words } from "#strings/app";
import { Mark } from "./mark.tsx";
import { type NavigationEntry, navigation } from "./navigation.ts";
import styles from "./shell.module.css";

export interface PageListProps {
  // The path of the current page, or of the one about to open.
  readonly current: string | null;
  readonly isShown: (entry: NavigationEntry) => boolean;
  readonly hasReference: boolean;
  readonly onFollow?: (event: MouseEvent<HTMLAnchorElement>, to: string) => void;
  readonly onLookAt?: (to: string) => void;
}

export function PageList({ current, isShown, hasReference, onFollow, onLookAt }: PageListProps): ReactNode {
  const linkTo = (to: string) => ({
    href: to,
    ...(onFollow ? { onClick: (event: MouseEvent<HTMLAnchorElement>) => onFollow(event, to) } : {}),
    ...(onLookAt ? { onPointerEnter: () => onLookAt(to), onFocus: () => onLookAt(to) } : {}),
  });
  const groups = navigation.map(({ label, entries }) => ({
    label,
    shown: entries.filter((entry) => entry.partOf === undefined && isShown(entry)),
  }));
  const operators = groups.filter(({ shown }) => shown.some((entry) => entry.operators));
  return (
    <nav className={styles.side} aria-label={words.pages}>
      <a {...linkTo("/")} className={styles.brand}>
        <Mark />
        {words.name}
      </a>
      <div className={styles.pages}>
        {groups.filter((group) => !operators.includes(group)).map(groupOf)}
        {hasReference ? (
          <div className={styles.group} data-cloud="true">
            <a className={styles.entry} href="/docs">
              <BookOpen aria-hidden="true" />
              {words.reference}
            </a>
            <a className={styles.entry} href="/docs/guides">
              <GraduationCap aria-hidden="true" />
              {words.guides}
            </a>
          </div>
        ) : null}
        {/* Last, because they appear once we know who is looking: nothing below them could move. */}
        {operators.map(groupOf)}
      </div>
    </nav>
  );

  function groupOf({ label, shown }: (typeof groups)[number]): ReactNode {
    if (shown.length === 0) return null;
    return (
      <div key={label ?? ""} className={styles.group} {...(shown.some(isSelfHosted) ? {} : { "data-cloud": "true" })}>
        {label ? <div className={styles.groupLabel}>{label}</div> : null}
        <ul>
          {shown.map((entry) => (
            <li key={entry.to} {...(isSelfHosted(entry) ? {} : { "data-cloud": "true" })}>
              <a
                {...linkTo(entry.to)}
                className={styles.entry}
                {...(current !== null && isCurrent(entry, current) ? { "aria-current": "page" as const } : {})}
              >
                <entry.icon aria-hidden="true" />
                {entry.label}
              </a>
            </li>
          ))}
        </ul>
      </div>
    );
  }
}

const isSelfHosted = (entry: NavigationEntry) => entry.selfHosted === true;

const isCurrent = ({ to }: NavigationEntry, path: string): boolean =>
  isAt(to, path) ||
  navigation.some(({ entries }) => entries.some((entry) => entry.partOf === to && isAt(entry.to, path)));

const isAt = (to: string, path: string) => (to === "/" ? path === "/" : path === to || path.startsWith(`${to}/`));
