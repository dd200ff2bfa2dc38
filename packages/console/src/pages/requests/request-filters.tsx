// The list's filters, each part of the address. The field takes a model's name, or an id or Idempotency-Key, which opens what it
// names.
import type { AccountKey } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Search, X } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useId, useState } from "react";
import { requests } from "#strings/requests";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/fields.tsx";
import kit from "../../ui/kit.module.css";
import { OutcomeChoice } from "../../ui/outcome-choice/outcome-choice.tsx";
import styles from "./requests.module.css";
import type { RequestsSearch } from "./requests-search.ts";

const words = requests.filters;
const familyChoices = [
  { value: "", label: words.kinds.all },
  { value: "model", label: words.kinds.model },
  { value: "partner", label: words.kinds.partner },
  { value: "job", label: words.kinds.job },
];
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const statusChoices = [
  { value: "", label: requests.errors.anyStatus },
  ...["400", "401", "402", "403", "404", "409", "422", "429", "500", "502", "503", "504"].map((status) => ({
    value: status,
    label: status,
  })),
];

export function RequestFilters(props: {
  readonly search: RequestsSearch;
  readonly keys: readonly AccountKey[];
  readonly onChoose: (search: RequestsSearch) => void;
}): ReactNode {
  const { search, onChoose } = props;
  const isFiltered = [search.family, search.subject, search.outcome, search.key, search.status].some(
    (value) => value !== undefined,
  );
  return (
    <div className={styles.filters}>
      <SubjectField search={search} onChoose={onChoose} />
      {search.view === "errors" ? (
        <Select
          label={requests.errors.status}
          choices={statusChoices}
          value={search.status ?? ""}
          onChange={({ target }) => onChoose({ ...search, status: target.value || undefined })}
        />
      ) : (
        <>
          <Select
            label={words.kind}
            choices={familyChoices}
            value={search.family ?? ""}
            onChange={({ target }) =>
              onChoose({
                ...search,
                family: (["model", "partner", "job"] as const).find((one) => one === target.value),
              })
            }
          />
          <OutcomeChoice outcome={search.outcome} onChoose={(outcome) => onChoose({ ...search, outcome })} />
        </>
      )}
      {props.keys.length > 1 ? (
        <Select
          label={words.key}
          choices={[
            { value: "", label: words.anyKey },
            ...props.keys.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={search.key ?? ""}
          onChange={({ target }) => onChoose({ ...search, key: target.value || undefined })}
        />
      ) : null}
      {isFiltered ? (
        <Button
          look="quiet"
          onClick={() =>
            onChoose({
              ...search,
              family: undefined,
              subject: undefined,
              outcome: undefined,
              key: undefined,
              status: undefined,
            })
          }
        >
          <X aria-hidden="true" />
          {words.clear}
        </Button>
      ) : null}
    </div>
  );
}

async function findTarget(wanted: string, isId: boolean) {
  const answer = await call(operations.findThings, { query: { q: wanted } }).catch(() => null);
  const named = answer?.data.filter(({ subtitle }) => isId || subtitle?.includes(wanted)) ?? [];
  const job = named.find(({ kind }) => kind === "job");
  const request = named.find(({ kind }) => kind === "request");
  if (job && !request) return { to: "/console/jobs/$jobId", params: { jobId: job.id } } as const;
  const requestId = request?.id ?? (isId ? wanted.toLowerCase() : null);
  return requestId === null ? null : ({ to: "/console/requests/$requestId", params: { requestId } } as const);
}

function SubjectField({
  search,
  onChoose,
}: Pick<Parameters<typeof RequestFilters>[0], "search" | "onChoose">): ReactNode {
  const id = useId();
  const navigate = useNavigate();
  const shown = search.subject?.replace(/^model:/, "") ?? "";
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const { data: stats } = useQuery({
    ...readQuery(["usage", "models", 168], operations.getModelStats, { query: { hours: 168 } }),
    staleTime: 60_000,
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = text.trim();
    // An id leads to what it names. Anything else that is neither a model nor a subject may be an Idempotency-Key.
    const isId = uuid.test(wanted);
    if (isId || (wanted !== "" && wanted !== "job" && !/[/:]/.test(wanted))) {
      const target = await findTarget(wanted, isId);
      if (target !== null) return navigate(target);
    }
    const subject = wanted === "" ? undefined : wanted.includes(":") || wanted === "job" ? wanted : `model:${wanted}`;
    onChoose({ ...search, subject });
  };
  return (
    <form className={styles.subject} onSubmit={submit}>
      <Search aria-hidden="true" />
      <input
        className={kit.input}
        aria-label={words.subject}
        placeholder={words.subjectHint}
        list={id}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={submit}
      />
      <datalist id={id}>
        {(stats?.data ?? []).map(({ model }) => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </form>
  );
}
