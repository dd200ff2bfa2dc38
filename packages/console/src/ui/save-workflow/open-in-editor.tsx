// Opens a graph in the editor, in another tab. Shown only if an operator installed the editor.
import { useQuery } from "@tanstack/react-query";
import { Workflow } from "lucide-react";
import type { ReactNode } from "react";
import { openInEditorWords as words } from "#strings/ui/open-in-editor";
import { configQuery } from "../../api/config.ts";
import { buttonClass } from "../button-class.ts";

// A saved workflow by folder and name, a job by its id, or an uploaded picture that carries its graph, by its path.
export type OpenedInEditor = { readonly workflow: string } | { readonly job: string } | { readonly picture: string };

export function OpenInEditor(props: { readonly open: OpenedInEditor; readonly small?: boolean }): ReactNode {
  const { data } = useQuery(configQuery);
  const address = data?.editor_url ?? null;
  if (address === null) return null;
  return (
    <a
      className={buttonClass({ small: props.small })}
      href={`${address}?${new URLSearchParams({ ...props.open })}`}
      target="_blank"
      rel="noopener"
    >
      <Workflow aria-hidden="true" />
      {words.action}
    </a>
  );
}
