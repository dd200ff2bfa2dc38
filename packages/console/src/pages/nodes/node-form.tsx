// A node's description: the same form creates and changes a node.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { nodes } from "#strings/nodes";
import { call } from "../../api/client.ts";
import { asFault } from "../../api/fault.ts";
import { operations } from "../../api/operations.ts";
import { useDraft } from "../../ui/calls/use-draft.ts";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextArea, TextField } from "../../ui/fields.tsx";
import type { Node } from "./registry-queries.ts";

const words = nodes.form;

interface Draft {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly author: string;
  readonly repository: string;
  readonly license: string;
  readonly tags: string;
}

const draftOf = (node: Node | null): Draft => ({
  id: node?.id ?? "",
  name: node?.name ?? "",
  description: node?.description ?? "",
  author: node?.author ?? "",
  repository: node?.repository ?? "",
  license: node?.license ?? "",
  tags: node?.tags.join(", ") ?? "",
});

export function NodeForm(props: {
  readonly publisherId: string;
  readonly node: Node | null;
  readonly onDone: (node: Node) => void;
  readonly onCancel: () => void;
}): ReactNode {
  const { publisherId, node } = props;
  const { draft, field: tied } = useDraft(() => draftOf(node));
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => {
      const { id, tags, ...texts } = draft;
      const json = { ...texts, tags: tagsIn(tags) };
      return node === null
        ? call(operations.createNode, { params: { publisherId }, json: { ...given(json), name: draft.name, id } })
        : call(operations.updateNode, { params: { publisherId, nodeId: node.id }, json });
    },
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: ["registry"] });
      props.onDone(saved);
    },
  });
  const wrongOf = (name: keyof Draft) =>
    save.error ? asFault(save.error).fields.find(({ path }) => path.includes(name))?.message : undefined;
  const field = (name: keyof Draft) => ({ ...tied(name), wrong: wrongOf(name) });
  return (
    <DialogForm
      action={node === null ? words.create : words.save}
      isBusy={save.isPending}
      fault={save.error}
      why={draft.name.trim() === "" || draft.id === "" ? words.idAndName : null}
      onSubmit={() => save.mutate()}
      onCancel={props.onCancel}
    >
      {node === null ? (
        <TextField label={words.id} required maxLength={100} spellCheck={false} hint={words.idHint} {...field("id")} />
      ) : null}
      <TextField label={words.name} required maxLength={128} {...field("name")} />
      <TextArea label={words.description} {...field("description")} />
      <TextField label={words.author} {...field("author")} />
      <TextField label={words.repository} placeholder="https://…" {...field("repository")} />
      <TextField label={words.license} hint={words.licenseHint} {...field("license")} />
      <TextField label={words.tags} hint={words.tagsHint} {...field("tags")} />
    </DialogForm>
  );
}

const tagsIn = (text: string): string[] =>
  text
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);

// A new node omits empty fields; an update sends them as empty strings, which clears them.
const given = <Members extends object>(members: Members): Partial<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== "")) as Partial<Members>;
