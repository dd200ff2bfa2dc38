// The workspace's works, with a picture that each of them made.
import type { Work } from "@atelier/sdk";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { SearchX, WandSparkles } from "lucide-react";
import type { ReactNode } from "react";
import { works as words } from "#strings/works/pages";
import { operations } from "../../api/operations.ts";
import { readPages } from "../../api/read-query.ts";
import { worksKey } from "../../api/works/works.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { More } from "../../ui/calls/more.tsx";
import { Ago } from "../../ui/figures.tsx";
import { FindBox } from "../../ui/filter-bar/find-box.tsx";
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
    ...readPages([...worksKey, "list", q], operations.listWorks, { query: { q, limit: pageSize } }),
    placeholderData: keepPreviousData,
  });
  const found = list.data?.pages.flatMap(({ data }) => data);
  const isEmpty = found?.length === 0 && q === undefined;
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      {isEmpty ? null : (
        <FindBox className={styles.find} label={words.find} hint={words.findHint} text={q ?? ""} onText={find} />
      )}
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
      <More of={list} className={styles.more}>
        {words.more}
      </More>
    </>
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
