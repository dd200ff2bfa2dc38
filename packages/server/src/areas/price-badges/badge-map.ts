// Every possible answer of the badges endpoint, prepared in advance: one body per version bucket and platform, in three content
// codings, each with a strong ETag of its own bytes (RFC 9110: codings of one resource have different ETags). A request only
// looks one up, so the same client always gets the same bytes, whatever else its request contains.
import { type PreparedAnswers, prepareAnswers } from "../../foundation/http/prepared-answers.ts";
import type { AppVersion } from "./app-version.ts";
import type { Platform, ServedRow } from "./badge-row.ts";
import { bucketIndex, groupByVersion } from "./resolve-badge.ts";

export interface BadgeMap {
  find(version: AppVersion | "latest", platform: Platform): PreparedAnswers;
  // The badge of each node, as JSON. The same map while nothing changes.
  texts(version: AppVersion | "latest", platform: Platform): ReadonlyMap<string, string>;
  // By node: what the newest clients see, for both platforms.
  readonly newest: ReadonlyMap<string, string>;
}

interface PlatformAnswers {
  readonly boundaries: readonly AppVersion[];
  readonly answers: readonly PreparedAnswers[];
  readonly latest: PreparedAnswers;
  readonly texts: readonly ReadonlyMap<string, string>[];
}

export async function buildBadgeMap(rows: readonly ServedRow[], cacheControl: string): Promise<BadgeMap> {
  // Buckets and platforms often agree, so equal bodies are compressed and kept once.
  const made = new Map<string, Promise<PreparedAnswers>>();
  const prepared = (body: string) => {
    const before = made.get(body);
    if (before) return before;
    const answers = prepareAnswers(Buffer.from(body), { cacheControl, vary: "Accept-Encoding" });
    made.set(body, answers);
    return answers;
  };
  const forPlatform = async (platform: Platform): Promise<PlatformAnswers> => {
    const buckets = groupByVersion(rows, platform);
    const answers = await Promise.all(buckets.rows.map((bucket) => prepared(renderBody(bucket))));
    const newest = buckets.rows.at(-1) ?? [];
    return {
      boundaries: buckets.boundaries,
      answers,
      latest: await prepared(renderBody(newest)),
      texts: buckets.rows.map((bucket) => new Map(bucket.map(({ nodeId, badgeText }) => [nodeId, badgeText]))),
    };
  };
  const newest = new Map<string, string>();
  for (const platform of ["cloud", "local"] as const)
    for (const { nodeId, badgeText } of groupByVersion(rows, platform).rows.at(-1) ?? [])
      newest.set(nodeId, `${newest.get(nodeId) ?? ""}${badgeText}`);
  const [cloud, local] = await Promise.all([forPlatform("cloud"), forPlatform("local")]);
  return {
    newest,
    find(version, platform) {
      const { boundaries, answers, latest } = platform === "cloud" ? cloud : local;
      return answers[bucketIndex(boundaries, version)] ?? latest;
    },
    texts(version, platform) {
      const { boundaries, texts } = platform === "cloud" ? cloud : local;
      return texts[bucketIndex(boundaries, version)] ?? texts.at(-1) ?? noTexts;
    },
  };
}

const noTexts: ReadonlyMap<string, string> = new Map();

// Written key by key and never through an object: no id can have a special meaning to JavaScript, and we control the order.
export function renderBody(rows: readonly ServedRow[]): string {
  return `{${rows.map((row) => `${JSON.stringify(row.nodeId)}:${row.badgeText}`).join(",")}}`;
}
