// Every answer the badges endpoint can give, made beforehand: per version bucket and platform one body, per body three
// content codings, each with a strong ETag of its own bytes (RFC 9110: codings of one resource are told apart).
// A request only looks one up, so the same client always gets the same bytes, whatever else its request says.
import { type PreparedAnswers, prepareAnswers } from "../../foundation/http/prepared-answers.ts";
import type { AppVersion } from "./app-version.ts";
import type { Platform, ServedRow } from "./badge-row.ts";
import { bucketIndex, bucketsOf } from "./resolve-badge.ts";

export interface BadgeMap {
  find(version: AppVersion | "latest", platform: Platform): PreparedAnswers;
  // By node: what the newest clients are shown, of both platforms.
  readonly newest: ReadonlyMap<string, string>;
}

interface PlatformAnswers {
  readonly boundaries: readonly AppVersion[];
  readonly answers: readonly PreparedAnswers[];
  readonly latest: PreparedAnswers;
}

export async function buildBadgeMap(rows: readonly ServedRow[], cacheControl: string): Promise<BadgeMap> {
  // Buckets and platforms often agree; equal bodies are compressed and kept once.
  const made = new Map<string, Promise<PreparedAnswers>>();
  const prepared = (body: string) => {
    const before = made.get(body);
    if (before) return before;
    const answers = prepareAnswers(Buffer.from(body), { cacheControl, vary: "Accept-Encoding" });
    made.set(body, answers);
    return answers;
  };
  const forPlatform = async (platform: Platform): Promise<PlatformAnswers> => {
    const buckets = bucketsOf(rows, platform);
    const answers = await Promise.all(buckets.rows.map((bucket) => prepared(bodyOf(bucket))));
    const newest = buckets.rows.at(-1) ?? [];
    return {
      boundaries: buckets.boundaries,
      answers,
      latest: await prepared(bodyOf(newest)),
    };
  };
  const newest = new Map<string, string>();
  for (const platform of ["cloud", "local"] as const)
    for (const { nodeId, badgeText } of bucketsOf(rows, platform).rows.at(-1) ?? [])
      newest.set(nodeId, `${newest.get(nodeId) ?? ""}${badgeText}`);
  const [cloud, local] = await Promise.all([forPlatform("cloud"), forPlatform("local")]);
  return {
    newest,
    find(version, platform) {
      const { boundaries, answers, latest } = platform === "cloud" ? cloud : local;
      return answers[bucketIndex(boundaries, version)] ?? latest;
    },
  };
}

// Written key by key and never through an object: no id can mean anything to JavaScript, and the order is ours.
export function bodyOf(rows: readonly ServedRow[]): string {
  return `{${rows.map((row) => `${JSON.stringify(row.nodeId)}:${row.badgeText}`).join(",")}}`;
}
