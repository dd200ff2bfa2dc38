import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Download, Package, PackageSearch, Search, Star } from "lucide-react";
import type { ReactNode } from "react";
import { nodes } from "#strings/nodes";
import { Button, LinkButton } from "../../ui/button.tsx";
import { useTypedText } from "../../ui/filter-bar/use-typed-text.ts";
import kit from "../../ui/kit.module.css";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import styles from "./nodes.module.css";
import { foundQuery, type Node } from "./registry-queries.ts";

const words = nodes.find;

export function FindNodes(): ReactNode {
  const { q = "", page = 1 } = useSearch({ from: "/console/nodes" });
  const navigate = useNavigate();
  const { data, error, isPending, refetch } = useQuery(foundQuery(q, page));
  const turn = (to: number) =>
    navigate({ to: "/console/nodes", search: { ...(q === "" ? {} : { q }), ...(to > 1 ? { page: to } : {}) } });
  return (
    <>
      <SearchField
        value={q}
        onChange={(text) => navigate({ to: "/console/nodes", search: text === "" ? {} : { q: text }, replace: true })}
      />
      {error ? <FaultNote fault={error} retry={refetch} /> : null}
      {isPending ? <Skeleton height="6.2rem" count={4} /> : null}
      {data?.nodes.length === 0 ? <NothingFound isSearch={q !== ""} /> : null}
      {data && data.nodes.length > 0 ? (
        <>
          <p className={kit.soft} role="status">
            {words.count(data.total, q !== "")}
          </p>
          <ul className={styles.cards}>
            {data.nodes.map((node) => (
              <NodeCard key={node.id} node={node} />
            ))}
          </ul>
          {data.totalPages > 1 ? (
            <nav className={kit.actions} aria-label={words.pages}>
              <Button disabled={page <= 1} onClick={() => turn(page - 1)}>
                {words.previous}
              </Button>
              <span className={kit.soft}>{words.page(data.page, data.totalPages)}</span>
              <Button disabled={page >= data.totalPages} onClick={() => turn(page + 1)}>
                {words.next}
              </Button>
            </nav>
          ) : null}
        </>
      ) : null}
    </>
  );
}

function SearchField(props: { readonly value: string; readonly onChange: (text: string) => void }): ReactNode {
  const typed = useTypedText(props.value, props.onChange);
  return (
    <div className={styles.search}>
      <Search aria-hidden="true" />
      <input type="search" className={kit.input} aria-label={words.search} placeholder={words.placeholder} {...typed} />
    </div>
  );
}

function NothingFound({ isSearch }: { readonly isSearch: boolean }): ReactNode {
  return isSearch ? (
    <Empty icon={PackageSearch} title={words.nothing}>
      {words.nothingText}
    </Empty>
  ) : (
    <Empty
      icon={Package}
      title={words.empty}
      actions={
        <LinkButton look="primary" to="/console/nodes" search={{ tab: "yours" }}>
          {words.publishFirst}
        </LinkButton>
      }
    >
      {words.emptyText}
    </Empty>
  );
}

function NodeCard({ node }: { readonly node: Node }): ReactNode {
  return (
    <li className={styles.card}>
      <div className={styles.cardHead}>
        <h2>
          <Link to="/console/nodes/$nodeId" params={{ nodeId: node.id }}>
            {node.name}
          </Link>
        </h2>
        {node.latest_version ? <code>{node.latest_version.version}</code> : <span>{words.noVersion}</span>}
      </div>
      <p>{node.description || nodes.noDescription}</p>
      <div className={styles.cardFoot}>
        <span>{node.publisher?.name ?? node.author ?? words.unowned}</span>
        <span title={nodes.installsHint}>
          <Download aria-hidden="true" /> {node.downloads.toLocaleString()}
          <span className="visually-hidden"> {words.installs}</span>
        </span>
        {node.github_stars ? (
          <span>
            <Star aria-hidden="true" /> {node.github_stars.toLocaleString()}
            <span className="visually-hidden"> {words.stars}</span>
          </span>
        ) : null}
        {node.tags.slice(0, 3).map((tag) => (
          <span key={tag} className={kit.chip}>
            {tag}
          </span>
        ))}
      </div>
    </li>
  );
}
