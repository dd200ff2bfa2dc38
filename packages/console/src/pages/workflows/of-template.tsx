// Opens a template: a graph of the gallery, or one that the operator offers.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { workflows as words } from "#strings/workflows";
import { galleryTemplates } from "../../api/templates/gallery.ts";
import { loadOperatorTemplate } from "../../api/templates/operator-templates.ts";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";
import { type Opened, openText } from "./open-workflow.ts";

export type TemplateSource = { readonly gallery: string } | { readonly operator: string };

export const isGalleryTemplate = (name: string | undefined): name is string =>
  galleryTemplates.some((each) => each.name === name);

export function OfTemplate(props: {
  readonly source: TemplateSource;
  readonly onLeave: () => void;
  readonly children: (opened: Opened) => ReactNode;
}): ReactNode {
  const { source } = props;
  const opened = useQuery({
    queryKey: ["templates", "opened", source],
    queryFn: () => openTemplate(source),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 0,
  });
  if (opened.data) return props.children(opened.data);
  return (
    <>
      <PageHead title={words.title} />
      {opened.error ? (
        <FaultNote
          fault={opened.error}
          retry={() => void opened.refetch()}
          ways={
            <Button small onClick={props.onLeave}>
              {words.openAnother}
            </Button>
          }
        />
      ) : (
        <Skeleton height="6rem" count={4} />
      )}
    </>
  );
}

async function openTemplate(source: TemplateSource): Promise<Opened> {
  if ("operator" in source) return openText(source.operator, await loadOperatorTemplate(source.operator));
  const template = galleryTemplates.find(({ name }) => name === source.gallery);
  const opened = await openText(source.gallery, (await template?.load()) ?? "");
  return template ? { ...opened, name: template.title, said: words.opened.example(template.about) } : opened;
}
