// Makes a token and shows it once.
import type { CreatedToken, NewToken, TokenCapability } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { tokens as words } from "#strings/keys/tokens";
import { call } from "../../api/client.ts";
import { configQuery } from "../../api/config.ts";
import { operations } from "../../api/operations.ts";
import { useDraft } from "../../ui/calls/use-draft.ts";
import { CheckField, SelectField, TextField } from "../../ui/fields.tsx";
import { SecretDialog, SecretForm, type SecretSteps } from "../../ui/secret-dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { baseOf } from "../../ui/snippets/clients.ts";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./keys.module.css";
import { tokensQuery } from "./token-queries.ts";

export function NewTokenDialog(props: { readonly isOpen: boolean; readonly onClose: () => void }): ReactNode {
  return (
    <SecretDialog<CreatedToken>
      title={words.create.title}
      readyTitle={() => words.ready.title}
      isOpen={props.isOpen}
      onClose={props.onClose}
      form={(steps) => <TokenForm {...steps} />}
      secret={(made) => <ReadyToken made={made} />}
      done={words.ready.done}
    />
  );
}

interface Draft {
  readonly label: string;
  readonly capabilities: readonly TokenCapability[];
  readonly models: string;
  readonly credits: string;
  readonly seconds: string;
  readonly origins: string;
  readonly user: string;
}

const empty: Draft = {
  label: "",
  capabilities: ["call_models"],
  models: "",
  credits: "5",
  seconds: "3600",
  origins: "",
  user: "",
};
const capabilities = ["call_models", "read_models", "upload_assets", "read_assets", "derive_tokens"] as const;
const lifetimes = [
  { value: "900", label: words.create.lifetimes.quarter },
  { value: "3600", label: words.create.lifetimes.hour },
  { value: "28800", label: words.create.lifetimes.eight },
  { value: "86400", label: words.create.lifetimes.day },
];
const amount = /^\d{1,12}(\.\d{1,6})?$/;
const listOf = (text: string) => text.split(/[\s,]+/).filter((each) => each !== "");

function TokenForm(steps: SecretSteps<CreatedToken>): ReactNode {
  const { draft, change, wrong, text, word, field, canSubmit } = useDraft(empty, wrongIn);
  return (
    <SecretForm
      {...steps}
      action={words.create.action}
      create={() => call(operations.createIdentityToken, { json: bodyOf(draft) })}
      changes={tokensQuery.queryKey}
      canSubmit={canSubmit}
    >
      <TextField label={words.create.label} hint={words.create.labelHint} maxLength={100} {...text("label")} />
      <Capabilities
        chosen={draft.capabilities}
        wrong={wrong.capabilities}
        onChoose={(chosen) => change({ capabilities: chosen })}
      />
      <TextField
        label={words.create.models}
        hint={words.create.modelsHint}
        spellCheck={false}
        placeholder="sandbox/image-1"
        {...text("models")}
      />
      <div className={styles.pair}>
        <TextField label={words.create.credits} inputMode="decimal" {...word("credits")} />
        <SelectField label={words.create.lasts} choices={lifetimes} {...field("seconds")} />
      </div>
      <TextField
        label={words.create.origins}
        hint={words.create.originsHint}
        spellCheck={false}
        placeholder="https://shop.example"
        {...text("origins")}
      />
      <TextField label={words.create.user} hint={words.create.userHint} maxLength={128} {...text("user")} />
    </SecretForm>
  );
}

function Capabilities(props: {
  readonly chosen: readonly TokenCapability[];
  readonly wrong: string | null | undefined;
  readonly onChoose: (chosen: readonly TokenCapability[]) => void;
}): ReactNode {
  return (
    <fieldset className={styles.scopes}>
      <legend>{words.create.capabilities}</legend>
      {capabilities.map((name) => (
        <CheckField
          key={name}
          label={words.capabilities[name]}
          checked={props.chosen.includes(name)}
          onChange={(event) =>
            props.onChoose(
              capabilities.filter((each) => (each === name ? event.target.checked : props.chosen.includes(each))),
            )
          }
        />
      ))}
      {props.wrong ? (
        <p className={styles.wrong} role="alert">
          {props.wrong}
        </p>
      ) : null}
    </fieldset>
  );
}

function wrongIn({ capabilities: chosen, models, credits }: Draft) {
  const usesModels = chosen.includes("call_models") || chosen.includes("read_models");
  return {
    capabilities: chosen.length === 0 ? words.create.capabilitiesMissing : null,
    models: usesModels && listOf(models).length === 0 ? words.create.modelsMissing : null,
    credits: chosen.includes("call_models") && !amount.test(credits) ? words.create.creditsWrong : null,
  };
}

// Leaves out empty fields, except those that the token needs.
function bodyOf({ capabilities: chosen, label, models, credits, seconds, origins, user }: Draft): NewToken {
  const [asked, pages] = [listOf(models), listOf(origins)];
  return {
    capabilities: chosen,
    expires_in_seconds: Number(seconds),
    ...(asked.length === 0 ? {} : { models: asked }),
    ...(amount.test(credits) ? { credits_max: credits } : {}),
    ...(pages.length === 0 ? {} : { origins: pages }),
    ...(label.trim() === "" ? {} : { label: label.trim() }),
    ...(user.trim() === "" ? {} : { end_user: user.trim() }),
  };
}

function ReadyToken({ made }: { readonly made: CreatedToken }): ReactNode {
  const { data: config } = useQuery(configQuery);
  const base = baseOf(config?.base_url ?? location.origin);
  const model = made.models?.find((id) => !id.endsWith("*")) ?? "sandbox/image-1";
  const origin = made.origins?.[0];
  const lines = [
    `curl ${base}/v1/models/${model}`,
    `-H "Authorization: Bearer ${made.token}"`,
    ...(origin === undefined ? [] : [`-H "Origin: ${origin}"`]),
    `-H "Content-Type: application/json" -d '{"prompt": "a lighthouse"}'`,
  ];
  return (
    <>
      <p>
        <Rich text={words.ready.text} copy={<strong>{words.ready.copyNow}</strong>} />
      </p>
      <ShownOnce label={words.ready.token} text={made.token} copyLabel={words.ready.copy} look="primary" />
      {made.capabilities?.includes("call_models") ? (
        <ShownOnce label={words.ready.use} text={lines.join(" \\\n  ")} />
      ) : null}
    </>
  );
}
