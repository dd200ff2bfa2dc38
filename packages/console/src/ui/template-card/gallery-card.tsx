// A graph of the gallery, which every console brings along.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { templateCard as words } from "#strings/ui/template-card";
import { accountModelsQuery } from "../../api/models.ts";
import { type GalleryTemplate, galleryModel } from "../../api/templates/gallery.ts";
import { TemplateCard, useSubmit } from "./template-card.tsx";

export function GalleryCard({ template }: { readonly template: GalleryTemplate }): ReactNode {
  const models = useQuery(accountModelsQuery);
  const isOffered = models.data?.data.some(({ id }) => id === galleryModel) ?? true;
  const { name, title, about } = template;
  const run = useSubmit(title, template.load);
  return (
    <TemplateCard
      title={title}
      about={about}
      picture={<img src={template.picture} alt="" width={480} height={360} loading="lazy" decoding="async" />}
      why={isOffered ? null : words.needs(galleryModel)}
      isBusy={run.isPending}
      onRun={() => run.mutate()}
      open={{ to: "/console/workflows", search: { example: name } }}
    />
  );
}
