// Partner operations as the OpenAPI document shows them: those of the contract if a definition names one, else generated from
// the definition, so that a partner from a file is mounted and described like the others.
import { allOperations, type Operation, operations } from "@atelier/contract";
import { Type } from "typebox";
import type { PartnerDefinition, PartnerOperation } from "../../capabilities/partners/index.ts";

export function startOperation(
  { partner, title }: Pick<PartnerDefinition, "partner" | "title">,
  operation: PartnerOperation,
): Operation {
  const path = pathOf(partner, operation.path);
  const known = inContract(operation.id, "POST", path);
  if (known) return known;
  // Modelled on the contract's own operations: the same headers, the same failures.
  const pattern = operation.status === 201 ? operations.createTextToVideoPrompt : operations.relightImage;
  const { 200: _, 201: __, ...failures }: Operation["answers"] = pattern.answers;
  return {
    id: operation.id ?? idOf("start", partner, operation.name),
    method: "POST",
    path,
    tag: pattern.tag,
    summary: operation.title ?? `${title ?? partner}: ${operation.name}`,
    access: "key",
    headers: pattern.headers,
    body: { contentType: "application/json", schema: Type.Unsafe(operation.schema), required: true },
    answers: {
      [operation.status]: {
        description: "The task was started.",
        schema: Type.Unknown(),
        contentType: "application/json",
        headers: ["Idempotent-Replayed"],
      },
      ...failures,
    },
  };
}

export function readOperation(
  { partner, title }: Pick<PartnerDefinition, "partner" | "title">,
  read: PartnerDefinition["reads"][number],
): Operation {
  const path = pathOf(partner, read.path);
  const known = inContract(read.id, "GET", path);
  if (known) return known;
  const parameter = /\{(\w+)\}$/.exec(path)?.[1] ?? "task_id";
  const pattern = operations.getRelightTask;
  return {
    id: read.id ?? idOf("read", partner, read.name),
    method: "GET",
    path,
    tag: pattern.tag,
    summary: `${title ?? partner}: read a task of ${read.name}`,
    access: "key",
    params: Type.Object({ [parameter]: Type.String({ minLength: 1, description: "The task's id." }) }),
    answers: {
      ...pattern.answers,
      200: { description: "The task.", schema: Type.Unknown(), contentType: "application/json" },
    },
  };
}

function pathOf(partner: string, path: string): `/${string}` {
  return `/proxy/${partner}${path}`;
}

function inContract(id: string | undefined, method: string, path: string): Operation | null {
  return allOperations.find((known) => known.id === id && known.method === method && known.path === path) ?? null;
}

function idOf(verb: string, partner: string, name: string): string {
  const words = `${partner} ${name}`.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return verb + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
