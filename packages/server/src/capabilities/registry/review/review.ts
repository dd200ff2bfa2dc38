// The review part of the registry: what operators do. Only operators' routes may call it.
import type { NodeVersion } from "@atelier/contract";
import type { AdminCaller } from "../../tokens/index.ts";
import type { ChangeNodeDeps, NodePath } from "../nodes/change-node.ts";
import type { Asked, Sent } from "../readers/actor.ts";
import { operator } from "../readers/reader.ts";
import { type ChangeVersionDeps, reviewVersion, undoBatch } from "../versions/change-version.ts";
import { type CheckDeps, checkWaiting } from "../versions/check-version.ts";
import {
  listAllVersions,
  type Page,
  readReviewAsOperator,
  showById,
  type VersionNumber,
} from "../versions/read-versions.ts";
import type { VersionFilter } from "../versions/version-store.ts";
import { banNode, createNodeAsOperator, movePublisher, reviewNode, type SentReason } from "./review-nodes.ts";

export interface ReviewDeps extends ChangeNodeDeps, ChangeVersionDeps, CheckDeps {
  readonly audit: ChangeNodeDeps["audit"];
  readonly clock: ChangeNodeDeps["clock"];
  readonly blobs: ChangeVersionDeps["blobs"] & CheckDeps["blobs"];
  // Long work over all nodes: started here, not awaited.
  reindex(): void;
  readStars(nodesMax: number): void;
}

export type Review = ReturnType<typeof createReview>;

export function createReview(deps: ReviewDeps) {
  return {
    createNode: (sent: Sent<AdminCaller>) => createNodeAsOperator(deps, sent),
    reviewNode: (nodeId: string, sent: Sent<AdminCaller>) => reviewNode(deps, nodeId, sent),
    banNode: (at: NodePath, sent: SentReason) => banNode(deps, at, sent),
    banPublisher: (id: string, sent: SentReason) => movePublisher(deps, id, "ban", sent),
    unbanPublisher: (id: string, asked: Asked<AdminCaller>) => movePublisher(deps, id, "unban", asked),
    reviewVersion: (at: VersionNumber, sent: Sent<AdminCaller>) => reviewVersion(deps, at, sent),
    readVersionReview: (at: VersionNumber) => readReviewAsOperator(deps, at),
    undoBatch: (batchId: string, asked: Asked<AdminCaller>) => undoBatch(deps, batchId, asked),
    listVersions: (filter: VersionFilter, page: Page) =>
      listAllVersions(deps, { ...filter, withReason: true }, operator, page),
    async checkWaiting(
      wanted: { readonly count: number; readonly minAgeSeconds: number },
      signal: AbortSignal,
    ): Promise<readonly NodeVersion[]> {
      const ids = await checkWaiting(deps, wanted, signal);
      return Promise.all(ids.map((id) => showById(deps, id, operator)));
    },
    reindex: () => deps.reindex(),
    readStars: (nodesMax: number) => deps.readStars(nodesMax),
  };
}
