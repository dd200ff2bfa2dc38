// Describes a model for people who choose one, from its definition and its marks.
import type { ModelDetail } from "@atelier/contract";
import { noMarks, type ServedModel } from "../../capabilities/providers/index.ts";

export type DescribedModel = Pick<
  ModelDetail,
  "title" | "description" | "kind" | "deprecated_at" | "sunset_at" | "verified"
>;

export function describeModel({ definition, marks = noMarks }: ServedModel): DescribedModel {
  const { title, description, kind } = definition;
  const { deprecatedAt, sunsetAt, verifiedAt } = marks;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(kind === undefined ? {} : { kind }),
    ...(deprecatedAt === null ? {} : { deprecated_at: deprecatedAt.toISOString() }),
    ...(sunsetAt === null ? {} : { sunset_at: sunsetAt.toISOString() }),
    verified: verifiedAt?.toISOString() ?? null,
  };
}
