import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Download, Package, PackageSearch, Search, Star } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button, LinkButton } from "../../ui/button.tsx";
import kit from "../../ui/kit.module.css";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import styles from "./nodes.module.css";
import { foundQuery, type Node } from "./registry-queries.ts";

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
        onChange={(words) =>
          navigate({ to: "/console/nodes", search: words === "" ? {} : { q: words }, replace: true })
        }
      />
      {error ? <FaultNote fault={error} retry={refetch} /> : null}
      {isPending ? <Skeleton height="6.2rem" count={4} /> : null}
      {data?.nodes.length === 0 ? <NothingFound isSearch={q !== ""} /> : null}
      {data && data.nodes.length > 0 ? (
        <>
          <p className={kit.soft} role="status">
            {data.total === 1 ? "1 node" : `${data.total.toLocaleString()} nodes`}
            {q === "" ? ", the most installed first" : ", the best match first"}
          </p>
          <ul className={styles.cards}>
            {data.nodes.map((node) => (
              <NodeCard key={node.id} node={node} />
            ))}
          </ul>
          {data.totalPages > 1 ? (
            <nav className={kit.actions} aria-label="Pages of the list">
              <Button disabled={page <= 1} onClick={() => turn(page - 1)}>
                Previous
              </Button>
              <span className={kit.soft}>
                Page {data.page} of {data.totalPages}
              </span>
              <Button disabled={page >= data.totalPages} onClick={() => turn(page + 1)}>
                Next
              </Button>
            </nav>
          ) : null}
        </>
      ) : null}
    </>
  );
}

// Updates the address after a short pause, so that a word is one search.
function SearchField(props: { readonly value: string; readonly onChange: (words: string) => void }): ReactNode {
  const [words, setWords] = useState(props.value);
  const { value, onChange } = props;
  useEffect(() => setWords(value), [value]);
  useEffect(() => {
    if (words === value) return;
    const timer = setTimeout(() => onChange(words), 250);
    return () => clearTimeout(timer);
  }, [words, value, onChange]);
  return (
    <div className={styles.search}>
      <Search aria-hidden="true" />
      <input
        type="search"
        className={kit.input}
        aria-label="Search the registry"
        placeholder="Name, class, author, or what it does; slips are forgiven"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
    </div>
  );
}

function NothingFound({ isSearch }: { readonly isSearch: boolean }): ReactNode {
  return isSearch ? (
    <Empty icon={PackageSearch} title="No node has all of these words">
      Try fewer words, or a part of the name.
    </Empty>
  ) : (
    <Empty
      icon={Package}
      title="Nothing is published here yet"
      actions={
        <LinkButton look="primary" to="/console/nodes" search={{ tab: "yours" }}>
          Publish the first node
        </LinkButton>
      }
    >
      Nodes that people publish on this server, and those of an upstream registry, appear here.
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
        {node.latest_version ? <code>{node.latest_version.version}</code> : <span>no version yet</span>}
      </div>
      <p>{node.description || "It does not say what it does."}</p>
      <div className={styles.cardFoot}>
        <span>{node.publisher?.name ?? node.author ?? "unowned"}</span>
        <span title="Installs, counted once per client and day">
          <Download aria-hidden="true" /> {node.downloads.toLocaleString()}
          <span className="visually-hidden"> installs</span>
        </span>
        {node.github_stars ? (
          <span>
            <Star aria-hidden="true" /> {node.github_stars.toLocaleString()}
            <span className="visually-hidden"> stars</span>
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
