// v2 node classes: what graphs can be made of, on every surface.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import { NodeClass, NodeClassesQuery, NodeClassPage, NodeClassQuery, ObjectInfo } from "../node-classes.ts";
import { operationTable } from "../operation.ts";
import { PageQuery } from "../pagination.ts";
import { answer, emptyAnswer, workflowFault, workflowFaults } from "./answers.ts";
import { tags } from "./tags.ts";

const { cacheControl, etag, ifNoneMatch } = headerName;
const held = Type.Object({ [ifNoneMatch]: Type.Optional(Type.String()) });
const unchanged = emptyAnswer("Not modified.", [cacheControl, etag]);

const common = { tag: tags.jobs, access: "key", refusals: workflowFault } as const;

export const workflowClassOperations = operationTable(common, {
  listNodeClasses: {
    method: "GET",
    path: "/api/v2/node-classes",
    summary: "List the node classes available here",
    description:
      "Sorted by name; with q, best matches first. Classes that are not allowed to run here are not listed. " +
      "format=object_info returns every match in one map, without paging.",
    query: Type.Object({ ...NodeClassesQuery.properties, ...PageQuery.properties }),
    headers: held,
    answers: {
      200: answer(Type.Union([NodeClassPage, ObjectInfo]), "One page of classes, or the map with format=object_info.", [
        cacheControl,
        etag,
      ]),
      304: unchanged,
      ...workflowFaults(404),
    },
  },
  getNodeClass: {
    method: "GET",
    path: "/api/v2/node-classes/{name}",
    summary: "Read a node class",
    params: Type.Object({ name: Type.String({ minLength: 1, description: "The class name, URL-encoded." }) }),
    query: NodeClassQuery,
    headers: held,
    answers: {
      200: answer(
        Type.Union([NodeClass, ObjectInfo]),
        "The class, or with format=object_info a map with only this class.",
        [cacheControl, etag],
      ),
      304: unchanged,
    },
  },
});
