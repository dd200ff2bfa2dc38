// The node classes of this server: search, view, copy.
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Blocks, X } from "lucide-react";
import type { ReactNode } from "react";
import { classes as words } from "#strings/classes";
import { useBadges } from "../../api/charges.ts";
import { findClasses } from "../../api/classes.ts";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/calls/more.tsx";
import { Chip } from "../../ui/chip.tsx";
import { useTypedText } from "../../ui/filter-bar/use-typed-text.ts";
import kit from "../../ui/kit.module.css";
import { PageHead, Panel } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { ClassDetail } from "./class-detail.tsx";
import styles from "./classes.module.css";

const route = getRouteApi("/console/classes");

export function ClassesPage(): ReactNode {
  const { q = "", category, class: chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: { q?: string | undefined; category?: string | undefined; class?: string | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...next }) as typeof old, replace: true, resetScroll: false });
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <div className={styles.page} data-detail={chosen !== undefined}>
        <Panel flush className={styles.found}>
          <div className={styles.filters}>
            <FindBox text={q} onText={(text) => change({ q: text === "" ? undefined : text })} />
            {category === undefined ? null : (
              <Button small onClick={() => change({ category: undefined })}>
                {category}
                <X aria-label={words.clearCategory} />
              </Button>
            )}
          </div>
          <Found
            q={q}
            category={category}
            chosen={chosen}
            onChoose={(name) => change({ class: name })}
            onAll={() => change({ q: undefined, category: undefined })}
          />
        </Panel>
        <div className={styles.detail}>
          {chosen === undefined ? (
            <Panel>
              <Empty icon={Blocks} title={words.choose.title}>
                <p>{words.choose.text}</p>
              </Empty>
            </Panel>
          ) : (
            <ClassDetail
              name={chosen}
              onCategory={(name) => change({ category: name })}
              onClose={() => change({ class: undefined })}
            />
          )}
        </div>
      </div>
    </>
  );
}

function FindBox({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }): ReactNode {
  const typed = useTypedText(text, onText);
  return (
    <search style={{ flex: "1 1 10rem" }}>
      <input type="search" className={kit.input} aria-label={words.find} placeholder={words.findHint} {...typed} />
    </search>
  );
}

function Found(props: {
  readonly q: string;
  readonly category: string | undefined;
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
  readonly onAll: () => void;
}): ReactNode {
  const { q, category } = props;
  const badges = useBadges();
  const query = useInfiniteQuery({
    queryKey: ["classes", q, category],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => findClasses({ q, category, limit: 50, cursor: pageParam }, signal),
    getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? null) : null),
    staleTime: 30_000,
  });
  if (query.error) return <FaultNote fault={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined)
    return (
      <div className={styles.pad}>
        <Skeleton height="2.8rem" count={8} />
      </div>
    );
  const classes = query.data.pages.flatMap(({ data }) => data);
  if (classes.length === 0)
    return (
      <Empty
        icon={Blocks}
        title={words.noMatch.title}
        actions={<Button onClick={props.onAll}>{words.noMatch.action}</Button>}
      >
        <p>{words.noMatch.text}</p>
      </Empty>
    );
  return (
    <>
      <ul className={styles.list}>
        {classes.map(({ name, title, category: where, is_deprecated }) => (
          <li key={name}>
            <button
              type="button"
              className={styles.entry}
              aria-pressed={name === props.chosen}
              onClick={() => props.onChoose(name)}
            >
              <span>
                <strong>{title}</strong>
                <small>{title === name ? where : `${name} · ${where}`}</small>
              </span>
              {Object.hasOwn(badges, name) ? <Chip tone="accent">{words.priced}</Chip> : null}
              {is_deprecated ? <Chip tone="warn">{words.deprecated}</Chip> : null}
            </button>
          </li>
        ))}
      </ul>
      <More of={query} className={styles.pad}>
        {words.showMore}
      </More>
    </>
  );
}
