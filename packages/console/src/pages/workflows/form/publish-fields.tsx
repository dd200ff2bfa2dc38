// Under which name and for whom a work is published.
import type { ReactNode } from "react";
import { workForm } from "#strings/works/form";
import { SelectField, TextArea, TextField } from "../../../ui/fields.tsx";
import styles from "./form.module.css";
import { type Publication, wrongName, wrongProvider } from "./publishing.ts";

const words = workForm.publish;

export function PublishFields(props: {
  readonly publication: Publication;
  readonly change: (more: Partial<Publication>) => void;
  // A new version of a work that exists.
  readonly isKnown: boolean;
  // The first work of the workspace.
  readonly isFirst: boolean;
  // Missing fields are marked once publishing was tried.
  readonly isAsked: boolean;
  // The server's refusals, by the name of the member.
  readonly refused: ReadonlyMap<string, string>;
}): ReactNode {
  const { publication, change, isKnown, refused } = props;
  const { name, provider } = publication;
  const text = (member: "title" | "description" | "note") => ({
    value: publication[member],
    wrong: refused.get(member) ?? null,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => change({ [member]: target.value }),
  });
  return (
    <>
      <div className={styles.pair}>
        {isKnown ? null : (
          <TextField
            label={words.name}
            hint={words.nameHint}
            required
            spellCheck={false}
            autoComplete="off"
            maxLength={110}
            value={name}
            wrong={refused.get("name") ?? (props.isAsked || name !== "" ? wrongName(name) : null)}
            onChange={({ target }) => change({ name: target.value })}
          />
        )}
        <TextField label={words.heading} hint={words.headingHint} maxLength={100} {...text("title")} />
        {isKnown ? <TextField label={words.note} hint={words.noteHint} maxLength={500} {...text("note")} /> : null}
      </div>
      {props.isFirst ? (
        <TextField
          label={words.provider}
          hint={words.providerHint}
          spellCheck={false}
          autoComplete="off"
          maxLength={64}
          value={provider}
          wrong={refused.get("provider") ?? wrongProvider(provider)}
          onChange={({ target }) => change({ provider: target.value.trim() })}
        />
      ) : null}
      <TextArea label={words.description} rows={2} maxLength={1_000} {...text("description")} />
      <SelectField
        label={words.visibility}
        hint={publication.visibility === "private" ? undefined : words.graphSeen}
        value={publication.visibility}
        wrong={refused.get("visibility") ?? null}
        choices={(["private", "shared", "public"] as const).map((value) => ({
          value,
          label: words.visibilities[value],
        }))}
        onChange={({ target }) => change({ visibility: target.value as Publication["visibility"] })}
      />
      {publication.visibility === "shared" ? (
        <TextArea
          label={words.sharedWith}
          hint={words.sharedWithHint}
          rows={2}
          spellCheck={false}
          value={publication.sharedWith}
          wrong={refused.get("shared_with") ?? null}
          onChange={({ target }) => change({ sharedWith: target.value })}
        />
      ) : null}
    </>
  );
}
