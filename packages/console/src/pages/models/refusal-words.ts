import { models } from "#strings/models";

// Whether a model charges for content policy refusals, as its catalog entry says.
export function refusalWords(says: string): { readonly chip: string; readonly text: string } {
  if (says === "yes") return models.refusals.yes;
  return says === "no" ? models.refusals.no : models.refusals.unknown;
}
