// The workspace's works, with a picture that each of them made.
import type { Work } from "@atelier/sdk";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { SearchX, WandSparkles } from "lucide-react";
import type { ReactNode } from "react";
import { works as words } from "#strings/works/pages";
import { listWorks, worksKey } from "../../api/works/works.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Ago } from "../../ui/figures.tsx";
import { useTypedText } from "../../ui/filter-bar/use-typed-text.ts";
import kit from "../../ui/kit.module.css";
import { PageHead } from "../../ui/panel.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { WorkPicture } from "../../ui/work-form/work-picture.tsx";
import { WorkChips } from "./work-chips.tsx";
import styles from "./works.module.css";

const route = getRouteApi("/console/works");
const pageSize = 48;

export function WorksPage(): ReactNode {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const find = (text: string | undefined) => void navigate({ search: text ? { q: text } : {}, replace: true });
  const list = useInfiniteQuery({
    queryKey: [...worksKey, "list", q],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => listWorks({ q, limit: pageSize, cursor: pageParam }, signal),
    getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? null) : null),
    placeholderData: keepPreviousData,
  });
  const found = list.data?.pages.flatMap(({ data }) => data);
  const isEmpty = found?.length === 0 && q === undefined;
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      {isEmpty ? null : <FindBox text={q ?? ""} onText={find} />}
      {found === undefined ? (
        <Pending fault={list.error} retry={list.refetch} height="16rem" />
      ) : found.length === 0 ? (
        <NoWorks q={q} onAll={() => find(undefined)} />
      ) : (
        <ul className={styles.cards} aria-busy={list.isPlaceholderData}>
          {found.map((work) => (
            <Card key={work.id} work={work} />
          ))}
        </ul>
      )}
      {list.hasNextPage ? (
        <div className={styles.more}>
          <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function FindBox({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }): ReactNode {
  const typed = useTypedText(text, onText);
  return (
    <search className={styles.find}>
      <input
        type="search"
        className={kit.input}
        aria-label={words.find}
        placeholder={words.findHint}
        maxLength={200}
        {...typed}
      />
    </search>
  );
}

function Card({ work }: { readonly work: Work }): ReactNode {
  return (
    <li className={styles.card} data-work={work.name}>
      <WorkPicture assetId={work.cover} />
      <div className={styles.about}>
        <Link to="/console/works/$name" params={{ name: work.name }} className={styles.name}>
          {work.title ?? work.name}
        </Link>
        <code className={styles.id}>{work.id}</code>
        {work.description === null ? null : <p className={styles.said}>{work.description}</p>}
        <div className={styles.meta}>
          <WorkChips work={work} />
          <span>
            {words.version(work.version)} · <Ago at={work.updated_at} />
          </span>
        </div>
      </div>
    </li>
  );
}

function NoWorks({ q, onAll }: { readonly q: string | undefined; readonly onAll: () => void }): ReactNode {
  if (q !== undefined)
    return (
      <Empty
        icon={SearchX}
        title={words.noMatch.title}
        actions={<Button onClick={onAll}>{words.noMatch.action}</Button>}
      >
        <p>{words.noMatch.text}</p>
      </Empty>
    );
  return (
    <Empty
      icon={WandSparkles}
      title={words.empty.title}
      actions={
        <LinkButton to="/console/workflows" look="primary">
          {words.empty.action}
        </LinkButton>
      }
    >
      <p>{words.empty.text}</p>
    </Empty>
  );
}
