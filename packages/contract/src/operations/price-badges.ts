// Price badges: the public read, and the operators' table behind it.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import { BadgeRow, BadgeRowInput, BadgeRowPage, EndBadgeRow, TriedBadge, TryBadge } from "../operators/badge-rows.ts";
import { PageQuery } from "../pagination.ts";
import { BadgeMap, BadgePlatform, BadgeQuery } from "../price-badges.ts";
import { Uuid } from "../wire-values.ts";
import { answer, emptyAnswer, genericFault, genericFaults, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const { cacheControl, etag, ifNoneMatch } = headerName;
const badgeRowId = Type.Object({ badgeRowId: Uuid });

const read = { tag: tags.priceBadges, access: "public", refusals: genericFault } as const;
const publicOperations = operationTable(read, {
  getBadges: {
    method: "GET",
    path: "/nodes/pricing/badges",
    summary: "Get the price badges of all nodes",
    description: "Resolved for the client's version and platform. Nodes that are not listed have no badge.",
    query: BadgeQuery,
    headers: Type.Object({ [ifNoneMatch]: Type.Optional(Type.String()) }),
    answers: {
      200: answer(BadgeMap, "Every badge, by node id.", [cacheControl, etag]),
      304: emptyAnswer("The caller already has these badges.", [cacheControl, etag]),
    },
  },
});

const common = { tag: tags.badgeAdministration, access: "admin", refusals: genericFault } as const;

const operatorsOperations = operationTable(common, {
  listBadgeRows: {
    method: "GET",
    path: "/admin/badges",
    summary: "List stored badges",
    query: Type.Object({
      node_id: Type.Optional(Type.String({ minLength: 1, description: "Only badges of this node." })),
      platform: Type.Optional(BadgePlatform),
      ended: Type.Optional(Type.Boolean({ description: "true: only ended badges. false: only the others." })),
      ...PageQuery.properties,
    }),
    answers: { 200: answer(BadgeRowPage, "One page of badges.") },
  },
  createBadgeRow: {
    method: "POST",
    path: "/admin/badges",
    summary: "Store a badge",
    description: "The badge is checked first. A rejected one returns 400 with the findings, and nothing is stored.",
    body: jsonBody(BadgeRowInput),
    answers: { 201: answer(BadgeRow, "The stored badge."), ...genericFaults(409) },
  },
  replaceBadgeRow: {
    method: "PUT",
    path: "/admin/badges/{badgeRowId}",
    summary: "Replace a stored badge",
    params: badgeRowId,
    body: jsonBody(BadgeRowInput),
    answers: { 200: answer(BadgeRow, "The updated badge."), ...genericFaults(409) },
  },
  endBadgeRow: {
    method: "POST",
    path: "/admin/badges/{badgeRowId}/end",
    summary: "End a badge",
    description: "At a version, or immediately for all versions. The badge is kept for the record.",
    params: badgeRowId,
    body: jsonBody(EndBadgeRow, false),
    answers: { 200: answer(BadgeRow, "The updated badge."), ...genericFaults(409) },
  },
  deleteBadgeRow: {
    method: "DELETE",
    path: "/admin/badges/{badgeRowId}",
    summary: "Remove a stored badge",
    params: badgeRowId,
    answers: { 204: emptyAnswer("Removed."), ...genericFaults(400) },
  },
  tryBadge: {
    method: "POST",
    path: "/admin/badges/dry-run",
    summary: "Check a badge and preview its prices",
    description: "Runs the full write-time check and evaluates samples. Nothing is stored.",
    body: jsonBody(TryBadge),
    answers: { 200: answer(TriedBadge, "Findings and evaluated samples.") },
  },
});

export const priceBadgeOperations = { ...publicOperations, ...operatorsOperations };
