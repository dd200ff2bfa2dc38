// Price badges: the public read, and the operators' table behind it.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import { BadgeRow, BadgeRowInput, BadgeRowPage, EndBadgeRow, TriedBadge, TryBadge } from "../operators/badge-rows.ts";
import { PageQuery } from "../pagination.ts";
import { BadgeMap, BadgePlatform, BadgeQuery } from "../price-badges.ts";
import { Uuid } from "../wire-values.ts";
import { answer, emptyAnswer, genericFaults, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const { cacheControl, etag, ifNoneMatch } = headerName;
const badgeRowId = Type.Object({ badgeRowId: Uuid });
const adminFaults = genericFaults(400, 401, 403, 429, 500, 503);
const writeFaults = { ...adminFaults, ...genericFaults(413) };

const read = { tag: tags.priceBadges, access: "public" } as const;
const publicOperations = operationTable(read, {
  getBadges: {
    method: "GET",
    path: "/nodes/pricing/badges",
    summary: "Read the price badges of every node",
    description: "Resolved for the client's version and platform. A node that is not listed has no badge.",
    query: BadgeQuery,
    headers: Type.Object({ [ifNoneMatch]: Type.Optional(Type.String()) }),
    answers: {
      200: answer(BadgeMap, "Every badge, by node id.", [cacheControl, etag]),
      304: emptyAnswer("The caller already holds these badges.", [cacheControl, etag]),
      ...genericFaults(400, 429, 500, 503),
    },
  },
});

const common = { tag: tags.badgeAdministration, access: "admin" } as const;

const operatorsOperations = operationTable(common, {
  listBadgeRows: {
    method: "GET",
    path: "/admin/badges",
    summary: "List the stored badges",
    query: Type.Object({
      node_id: Type.Optional(Type.String({ minLength: 1, description: "Only rows of this node." })),
      platform: Type.Optional(BadgePlatform),
      ended: Type.Optional(Type.Boolean({ description: "Only ended rows, or only the others." })),
      ...PageQuery.properties,
    }),
    answers: { 200: answer(BadgeRowPage, "One page of rows."), ...adminFaults },
  },
  createBadgeRow: {
    method: "POST",
    path: "/admin/badges",
    summary: "Store a badge",
    description: "The badge is proven first; a refused one is answered 400 with its findings and nothing is stored.",
    body: jsonBody(BadgeRowInput),
    answers: { 201: answer(BadgeRow, "The stored row."), ...writeFaults, ...genericFaults(409) },
  },
  replaceBadgeRow: {
    method: "PUT",
    path: "/admin/badges/{badgeRowId}",
    summary: "Replace a stored badge",
    params: badgeRowId,
    body: jsonBody(BadgeRowInput),
    answers: { 200: answer(BadgeRow, "The row as it is now."), ...writeFaults, ...genericFaults(404, 409) },
  },
  endBadgeRow: {
    method: "POST",
    path: "/admin/badges/{badgeRowId}/end",
    summary: "End a badge",
    description: "At a version, or at once for everybody. The row stays for the record.",
    params: badgeRowId,
    body: jsonBody(EndBadgeRow, false),
    answers: { 200: answer(BadgeRow, "The row as it is now."), ...writeFaults, ...genericFaults(404, 409) },
  },
  deleteBadgeRow: {
    method: "DELETE",
    path: "/admin/badges/{badgeRowId}",
    summary: "Remove a stored badge",
    params: badgeRowId,
    answers: { 204: emptyAnswer("The row is gone."), ...adminFaults, ...genericFaults(404) },
  },
  tryBadge: {
    method: "POST",
    path: "/admin/badges/dry-run",
    summary: "Prove a badge and see its prices",
    description: "Runs the whole write-time check and evaluates samples. Nothing is stored.",
    body: jsonBody(TryBadge),
    answers: { 200: answer(TriedBadge, "Findings and evaluated samples."), ...writeFaults },
  },
});

export const priceBadgeOperations = { ...publicOperations, ...operatorsOperations };
