// Workflows that the operator of the server offers to start from: files in a folder of theirs.
import { Type } from "typebox";
import { entity } from "../wire-values.ts";

export const templateNamePattern = "^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$";
export const TemplateName = Type.String({
  pattern: templateNamePattern,
  description: "The file's name without its ending.",
});

export const Template = entity("Template", "A workflow that the operator offers to start from.", {
  name: TemplateName,
  title: Type.String({ description: "Its name for people, made from the file's name." }),
  has_picture: Type.Boolean({ description: "Whether there is a picture of what it makes." }),
});

export const TemplateList = entity("TemplateList", "The operator's templates. Empty if there are none.", {
  data: Type.Array(Template, { description: "Sorted by name." }),
});

export const TemplateWorkflow = Type.Record(Type.String(), Type.Unknown(), {
  title: "TemplateWorkflow",
  description: "The file as it is: a graph in the API format or in the editor's.",
});
