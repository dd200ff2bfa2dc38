// Workflows to start from: files in the operator's folder, and public templates that the operator installed.
import { Type } from "typebox";
import { entity, nullable, wordOf } from "../wire-values.ts";

export const templateNamePattern = "^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$";
export const TemplateName = Type.String({
  pattern: templateNamePattern,
  description: "The file's name without its ending.",
});

export const TemplateSourceName = wordOf(["operator", "installed"], {
  description: "From the operator's own folder, or one of the public templates that the operator installed.",
});

const names = (description: string) => Type.Array(Type.String(), { description });

export const TemplateNeeds = entity("TemplateNeeds", "What a template needs that this server does not have.", {
  classes: names("Node classes."),
  weights: names("Weights, by file name."),
  providers: names("Providers of models that this workspace cannot call, for lack of a credential or a release."),
});

export const Template = entity("Template", "A workflow to start from.", {
  name: TemplateName,
  source: TemplateSourceName,
  title: Type.String({ description: "Its name for people; made from the file's name if nothing else is known." }),
  description: nullable(Type.String(), "What it makes."),
  category: nullable(Type.String(), "The group it belongs to."),
  tags: names("Words for it."),
  has_picture: Type.Boolean({ description: "Whether there is a picture of what it makes." }),
  runs_here: Type.Boolean({
    description:
      "Whether nothing is missing except files to load. Its estimate says what it costs, or why it would be refused.",
  }),
  needs: TemplateNeeds,
  files: names("Files it loads, which you replace by your own."),
});

export const TemplateList = entity("TemplateList", "Templates. Empty if there are none.", {
  data: Type.Array(Template, {
    description: "The operator's first; in the order of the folder's index, then by name.",
  }),
});

export const TemplateWorkflow = Type.Record(Type.String(), Type.Unknown(), {
  title: "TemplateWorkflow",
  description: "The file as it is: a graph in the API format or in the editor's.",
});
