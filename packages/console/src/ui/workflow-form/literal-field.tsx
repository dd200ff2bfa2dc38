import { type DescribedInput, referenceTo, writeJson } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Dices, Undo2, Upload } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { uiForms as words } from "#strings/ui/forms";
import { atelier } from "../../api/atelier.ts";
import { accountModelsQuery } from "../../api/models.ts";
import { Button, IconButton } from "../button.tsx";
import { CheckField, Field, SelectField, TextArea, TextField } from "../fields.tsx";
import kit from "../kit.module.css";
import { toastFault } from "../toast.tsx";
import { type FieldKind, isSeed, limitWords, randomSeed, textOf } from "./field-kinds.ts";
import styles from "./workflow-form.module.css";

interface LiteralProps {
  readonly name: string;
  readonly kind: FieldKind;
  readonly described: DescribedInput | undefined;
  readonly text: string;
  readonly isChanged: boolean;
  // The text is the id of a model.
  readonly isModel: boolean;
  readonly wrong: string | undefined;
  readonly onText: (text: string) => void;
  readonly onReset: () => void;
}

export function LiteralField(props: LiteralProps): ReactNode {
  const { name, kind, described, text, wrong, onText } = props;
  const about = { label: name, wrong, hint: hintOf(props), aside: <Aside {...props} /> };
  const onChange = ({ target }: { readonly target: { readonly value: string } }) => onText(target.value);
  if (kind === "flag")
    return (
      <CheckField
        label={name}
        hint={described?.tooltip}
        checked={text === "true"}
        onChange={({ target }) => onText(String(target.checked))}
      />
    );
  if (kind === "choice")
    return <SelectField {...about} value={text} onChange={onChange} choices={choicesOf(described, text)} />;
  if (kind === "long" || kind === "json")
    return (
      <div className={styles.wide}>
        <TextArea
          {...about}
          value={text}
          onChange={onChange}
          rows={kind === "json" ? 3 : 4}
          spellCheck={kind === "long"}
        />
      </div>
    );
  if (kind === "file") return <FileField {...props} about={about} />;
  if (kind === "color") return <ColorField about={about} text={text} name={name} onText={onText} />;
  if (props.isModel) return <ModelField {...about} value={text} onChange={onChange} />;
  const isNumber = kind === "integer" || kind === "number";
  return <TextField {...about} value={text} onChange={onChange} {...(isNumber ? { inputMode: "decimal" } : {})} />;
}

// The bounds of a seed say nothing: there is a button that draws one.
function hintOf({ name, kind, described }: LiteralProps): string | null {
  const isBounded = kind === "number" || (kind === "integer" && !isSeed(name));
  const limits = isBounded ? limitWords(described) : null;
  return [described?.tooltip, limits].filter(Boolean).join(" · ") || null;
}

function Aside({ name, kind, described, isChanged, onText, onReset }: LiteralProps): ReactNode {
  return (
    <span className={styles.aside}>
      {kind === "integer" && isSeed(name) ? (
        <IconButton small label={words.anotherSeed(name)} onClick={() => onText(randomSeed(described))}>
          <Dices aria-hidden="true" />
        </IconButton>
      ) : null}
      {isChanged ? (
        <IconButton small label={words.reset(name)} onClick={onReset}>
          <Undo2 aria-hidden="true" />
        </IconButton>
      ) : null}
    </span>
  );
}

// A choice in the graph that the server does not list is still shown: the server judges it.
function choicesOf(described: DescribedInput | undefined, text: string) {
  const listed = (described?.choices ?? []).map((choice) => ({
    value: writeJson(choice),
    label: textOf("text", choice),
  }));
  const isListed = listed.some(({ value }) => value === text);
  return isListed ? listed : [{ value: text, label: words.notListed(text.replaceAll('"', "")) }, ...listed];
}

// The picker and the text are one value.
function ColorField(props: {
  readonly about: Omit<Parameters<typeof Field>[0], "children">;
  readonly text: string;
  readonly name: string;
  readonly onText: (text: string) => void;
}): ReactNode {
  const { about, text, onText } = props;
  return (
    <Field {...about}>
      {(ties) => (
        <div className={styles.color}>
          <input
            type="color"
            aria-label={words.picker(props.name)}
            value={/^#[\da-f]{6}$/i.test(text) ? text.toLowerCase() : "#000000"}
            onChange={({ target }) => onText(target.value)}
          />
          <input
            {...ties}
            type="text"
            className={kit.input}
            spellCheck={false}
            value={text}
            onChange={({ target }) => onText(target.value)}
          />
        </div>
      )}
    </Field>
  );
}

// Offers the models of this server; a work, or one that is not here yet, can be typed.
function ModelField(props: Parameters<typeof TextField>[0]): ReactNode {
  const id = useId();
  const { data } = useQuery(accountModelsQuery);
  return (
    <>
      <TextField {...props} list={id} spellCheck={false} />
      <datalist id={id}>
        {data?.data.map((model) => (
          <option key={model.id} value={model.id}>
            {model.title}
          </option>
        ))}
      </datalist>
    </>
  );
}

// A file is uploaded when it is chosen; the graph then refers to it.
function FileField(props: LiteralProps & { readonly about: Parameters<typeof TextField>[0] }): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [name, setName] = useState<string | null>(null);
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    setBusy(true);
    try {
      const asset = await atelier.assets.put(file, { filePath: file.name });
      props.onText(writeJson(referenceTo(asset)));
      setName(file.name);
    } catch (thrown) {
      toastFault(thrown, words.notUploaded(file.name));
    }
    setBusy(false);
  };
  return (
    <div className={styles.wide}>
      <TextField
        {...props.about}
        hint={name === null ? words.fileHint : words.uploaded(name)}
        value={props.text}
        onChange={({ target }) => props.onText(target.value)}
      />
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={words.fileFor(props.name)}
        onChange={({ target }) => void take(target.files?.[0])}
      />
      <Button small disabled={isBusy} onClick={() => picker.current?.click()}>
        <Upload aria-hidden="true" />
        {isBusy ? words.uploading : words.chooseFile}
      </Button>
    </div>
  );
}
