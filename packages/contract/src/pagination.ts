// Pages. All our lists with cursors share one shape; the registry keeps the numbered pages of its ecosystem.

import { type TSchema, Type } from "typebox";
import { limits } from "./limits.ts";
import { entity } from "./wire-values.ts";

// Spec, Page cursor: made by the server and only passed back. Not an offset, not ordered, not for storage.
export const Cursor = Type.String({
  title: "Cursor",
  description: "Where the next page starts. Opaque: pass it back unchanged, and do not reuse it in a later listing.",
  pattern: "^[A-Za-z0-9._~+/=-]+$",
  minLength: limits.cursorLengthMin,
  maxLength: limits.cursorLengthMax,
});

export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      description: "Page size. Values above the cap are clamped; 0 or less means the default.",
    }),
  ),
  cursor: Type.Optional(Cursor),
});

export function pageOf<Entry extends TSchema>(entry: Entry, title: string, description: string) {
  return entity(title, description, {
    data: Type.Array(entry, { description: "The entries of this page." }),
    has_more: Type.Boolean({ description: "false on the last page. A short page alone does not mean the end." }),
    next_cursor: Type.Optional(Cursor),
    limit: Type.Integer({
      minimum: 1,
      maximum: limits.catalogPageSizeMax,
      description: "The page size that was used.",
    }),
  });
}

// v2 follows links: the page also carries the address of the next one (decisions, section 6).
export function linkedPageOf<Entry extends TSchema>(entry: Entry, title: string, description: string) {
  return entity(title, description, {
    ...pageOf(entry, title, description).properties,
    next: Type.Optional(
      Type.String({
        format: "uri-reference",
        description: "The next page, relative to the host. Absent on the last page.",
      }),
    ),
  });
}

export const NumberedPageQuery = Type.Object({
  page: Type.Optional(Type.Integer({ description: "Page number from 1; less than 1 means 1." })),
  limit: Type.Optional(
    Type.Integer({
      description:
        "Entries per page: 10 by default, at most 100. Larger values are clamped; less than 1 means the default.",
    }),
  ),
});
