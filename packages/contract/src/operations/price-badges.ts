// Price badges: the public read, and the operators' table behind it.
import { Type } from "typebox";
import { BadgeRow, BadgeRowInput, BadgeRowPage, EndBadgeRow, TriedBadge, TryBadge } from "../badge-rows.ts";
import { headerName } from "../headers.ts";
import type { Operation } from "../operation.ts";
import { PageQuery } from "../pagination.ts";
import { BadgeMap, BadgePlatform, BadgeQuery } from "../price-badges.ts";
import { Uuid } from "../wire-values.ts";
import { answer, emptyAnswer, genericFault, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const { cacheControl, etag, ifNoneMatch } = headerName;
const badgeRowId = Type.Object({ badgeRowId: Uuid });
const adminFaults = {
  400: genericFault[400],
  401: genericFault[401],
  403: genericFault[403],
  429: genericFault[429],
  500: genericFault[500],
  503: genericFault[503],
};
const writeFaults = { ...adminFaults, 413: genericFault[413] };

export const priceBadgeOperations = {
  getBadges: {
    id: "getBadges",
    method: "GET",
    path: "/nodes/pricing/badges",
    tag: tags.priceBadges,
    summary: "Read the price badges of every node",
    description: "Resolved for the client's version and platform. A node that is not listed has no badge.",
    access: "public",
    query: BadgeQuery,
    headers: Type.Object({ [ifNoneMatch]: Type.Optional(Type.String()) }),
    answers: {
      200: answer(BadgeMap, "Every badge, by node id.", [cacheControl, etag]),
      304: emptyAnswer("The caller already holds these badges.", [cacheControl, etag]),
      400: genericFault[400],
      429: genericFault[429],
      500: genericFault[500],
      503: genericFault[503],
    },
  },
  listBadgeRows: {
    id: "listBadgeRows",
    method: "GET",
    path: "/admin/badges",
    tag: tags.badgeAdministration,
    summary: "List the stored badges",
    access: "admin",
    query: Type.Object({
      node_id: Type.Optional(Type.String({ minLength: 1, description: "Only rows of this node." })),
      platform: Type.Optional(BadgePlatform),
      ended: Type.Optional(Type.Boolean({ description: "Only ended rows, or only the others." })),
      ...PageQuery.properties,
    }),
    answers: { 200: answer(BadgeRowPage, "One page of rows."), ...adminFaults },
  },
  createBadgeRow: {
    id: "createBadgeRow",
    method: "POST",
    path: "/admin/badges",
    tag: tags.badgeAdministration,
    summary: "Store a badge",
    description: "The badge is proven first; a refused one is answered 400 with its findings and nothing is stored.",
    access: "admin",
    body: jsonBody(BadgeRowInput),
    answers: { 201: answer(BadgeRow, "The stored row."), ...writeFaults, 409: genericFault[409] },
  },
  replaceBadgeRow: {
    id: "replaceBadgeRow",
    method: "PUT",
    path: "/admin/badges/{badgeRowId}",
    tag: tags.badgeAdministration,
    summary: "Replace a stored badge",
    access: "admin",
    params: badgeRowId,
    body: jsonBody(BadgeRowInput),
    answers: {
      200: answer(BadgeRow, "The row as it is now."),
      ...writeFaults,
      404: genericFault[404],
      409: genericFault[409],
    },
  },
  endBadgeRow: {
    id: "endBadgeRow",
    method: "POST",
    path: "/admin/badges/{badgeRowId}/end",
    tag: tags.badgeAdministration,
    summary: "End a badge",
    description: "At a version, or at once for everybody. The row stays for the record.",
    access: "admin",
    params: badgeRowId,
    body: jsonBody(EndBadgeRow, false),
    answers: {
      200: answer(BadgeRow, "The row as it is now."),
      ...writeFaults,
      404: genericFault[404],
      409: genericFault[409],
    },
  },
  deleteBadgeRow: {
    id: "deleteBadgeRow",
    method: "DELETE",
    path: "/admin/badges/{badgeRowId}",
    tag: tags.badgeAdministration,
    summary: "Remove a stored badge",
    access: "admin",
    params: badgeRowId,
    answers: {
      204: emptyAnswer("The row is gone."),
      ...adminFaults,
      404: genericFault[404],
    },
  },
  tryBadge: {
    id: "tryBadge",
    method: "POST",
    path: "/admin/badges/dry-run",
    tag: tags.badgeAdministration,
    summary: "Prove a badge and see its prices",
    description: "Runs the whole write-time check and evaluates samples. Nothing is stored.",
    access: "admin",
    body: jsonBody(TryBadge),
    answers: { 200: answer(TriedBadge, "Findings and evaluated samples."), ...writeFaults },
  },
} as const satisfies Record<string, Operation>;
