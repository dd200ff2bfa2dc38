// Writing nodes. The database sets `changed_at` on every change that readers see.
import type { NodeStatus } from "@atelier/contract";
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { NodeFields } from "./node-fields.ts";
import type { SearchDocument } from "./search-words.ts";
import type { NodeRowId, StoredNode } from "./stored-node.ts";

// Fields that operators set on a node.
export interface Review {
  readonly status: NodeStatus;
  readonly statusDetail: string | null;
  readonly tagsAdmin: readonly string[];
  readonly searchRanking: number | null;
  readonly preempted: readonly string[];
}

type NamedNode = Pick<StoredNode, "id" | "nodeId" | "publisherId" | "visibleTo" | "isUpstream">;

export interface LockedNode extends NodeFields, Review, NamedNode {}

const lockedColumns = sql`id, node_id, publisher_id, visible_to, status, status_detail,
  upstream is not null as is_upstream, tags_admin, search_ranking, preempted_svc_node_names as preempted, name,
  description, author, category, license, repository, icon, banner_url, tags, supported_accelerators, supported_os, supported_app_version,
  supported_app_frontend_version`;

// Locks the node until the transaction ends.
export async function lockNode(db: Queryable, folded: string): Promise<LockedNode | null> {
  const [row] = await db.query<LockedRow>(sql`
    select ${lockedColumns} from nodes where node_id_folded = ${folded} for update`);
  return row === undefined ? null : toLocked(row);
}

export async function lockNodesByRowId(db: Queryable, ids: readonly NodeRowId[]): Promise<LockedNode[]> {
  const rows = await db.query<LockedRow>(sql`
    select ${lockedColumns} from nodes where id = any(${ids}) order by id for update`);
  return rows.map(toLocked);
}

export interface NewNode extends Pick<LockedNode, "id" | "nodeId" | "publisherId" | "visibleTo"> {
  readonly fields: NodeFields;
  readonly search: SearchDocument;
  readonly now: Date;
}

// False if the id is taken in any spelling, even by a deleted node.
export async function insertNode(db: Queryable, node: NewNode): Promise<boolean> {
  const { fields } = node;
  const rows = await db.execute(sql`
    insert into nodes (id, node_id, node_id_folded, publisher_id, visible_to, name, description, author, category,
      license, repository, icon, banner_url, tags, supported_accelerators, supported_os, supported_app_version,
      supported_app_frontend_version, status, search_document, created_at)
    values (${node.id}, ${node.nodeId}, ${node.nodeId.toLowerCase()}, ${node.publisherId}, ${node.visibleTo},
      ${fields.name}, ${fields.description}, ${fields.author}, ${fields.category}, ${fields.license},
      ${fields.repository}, ${fields.icon}, ${fields.bannerUrl}, ${fields.tags}, ${fields.supportedAccelerators},
      ${fields.supportedOs}, ${fields.supportedAppVersion}, ${fields.supportedAppFrontendVersion},
      'NodeStatusActive', ${node.search.document}::tsvector, ${node.now})
    on conflict (node_id_folded) do nothing`);
  if (rows === 1) await keepWords(db, node.search.words);
  return rows === 1;
}

export async function writeFields(
  db: Queryable,
  id: NodeRowId,
  { fields, search }: Pick<NewNode, "fields" | "search">,
): Promise<void> {
  await db.execute(sql`
    update nodes set name = ${fields.name}, description = ${fields.description}, author = ${fields.author},
      category = ${fields.category}, license = ${fields.license}, repository = ${fields.repository},
      icon = ${fields.icon}, banner_url = ${fields.bannerUrl}, tags = ${fields.tags},
      supported_accelerators = ${fields.supportedAccelerators}, supported_os = ${fields.supportedOs},
      supported_app_version = ${fields.supportedAppVersion},
      supported_app_frontend_version = ${fields.supportedAppFrontendVersion},
      search_document = ${search.document}::tsvector
    where id = ${id}`);
  await keepWords(db, search.words);
}

export async function keepWords(db: Queryable, words: readonly string[]): Promise<void> {
  await db.execute(sql`
    insert into registry_words (word) select word from unnest(${words}::text[]) as word order by word
    on conflict do nothing`);
}

export async function writeReview(db: Queryable, id: NodeRowId, review: Review): Promise<void> {
  await db.execute(sql`
    update nodes set status = ${review.status}, status_detail = ${review.statusDetail},
      tags_admin = ${review.tagsAdmin}, search_ranking = ${review.searchRanking},
      preempted_svc_node_names = ${review.preempted}
    where id = ${id}`);
}

export async function setNodeStatus(
  db: Queryable,
  id: NodeRowId,
  status: NodeStatus,
  detail: string | null,
): Promise<void> {
  await db.execute(sql`update nodes set status = ${status}, status_detail = ${detail} where id = ${id}`);
}

export async function setNodePublisher(
  db: Queryable,
  id: NodeRowId,
  to: { id: string; visibleTo: WorkspaceId | null },
) {
  await db.execute(sql`
    update nodes set publisher_id = ${to.id}, visible_to = ${to.visibleTo} where id = ${id}`);
}

export async function putReview(
  db: Queryable,
  review: { id: NodeRowId; reviewer: string; star: number; now: Date },
): Promise<void> {
  await db.execute(sql`
    insert into node_reviews (node_id, reviewer, star, created_at)
    values (${review.id}, ${review.reviewer}, ${review.star}, ${review.now})
    on conflict (node_id, reviewer) do update set star = excluded.star, created_at = excluded.created_at`);
  await db.execute(sql`
    update nodes set rating = (select avg(star) from node_reviews where node_id = ${review.id})
    where id = ${review.id}`);
}

// Returns how many languages the node has now.
export async function putTranslations(
  db: Queryable,
  id: NodeRowId,
  texts: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Promise<number> {
  await db.execute(sql`
    insert into node_translations (node_id, language, texts)
    select ${id}, one.key, one.value from jsonb_each(${JSON.stringify(texts)}::jsonb) as one
    on conflict (node_id, language) do update set texts = excluded.texts`);
  await db.execute(sql`update nodes set name = name where id = ${id}`);
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from node_translations where node_id = ${id}`);
  return row?.count ?? 0;
}

export async function nextForStars(
  db: Queryable,
  limit: number,
): Promise<{ id: NodeRowId; folded: string; repository: string }[]> {
  return db.query(sql`
    select id, node_id_folded as folded, repository from nodes
    where repository is not null and upstream is null and status = 'NodeStatusActive'
    order by stars_read_at nulls first, id limit ${limit}`);
}

// True if the number changed. Null keeps the number and only records that we looked.
export async function putStars(db: Queryable, id: NodeRowId, stars: number | null): Promise<boolean> {
  const changed = await db.execute(sql`
    update nodes set github_stars = ${stars} where id = ${id} and ${stars}::int is not null
      and github_stars is distinct from ${stars}::int`);
  await db.execute(sql`update nodes set stars_read_at = now() where id = ${id}`);
  return changed === 1;
}

type LockedRow = RowOf<LockedNode>;

const toLocked = fromRow<LockedNode>;
