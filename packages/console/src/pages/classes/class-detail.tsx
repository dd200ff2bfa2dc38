import { type DescribedClass, type DescribedInput, writeJson } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { classes as words } from "#strings/classes";
import { shared } from "#strings/shared";
import { useBadges } from "../../api/charges.ts";
import { describe } from "../../api/classes.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import { Heading } from "../../ui/heading.tsx";
import { keyed } from "../../ui/keyed.ts";
import kit from "../../ui/kit.module.css";
import { Facts, Panel, Stack } from "../../ui/panel.tsx";
import { Empty, FaultNote, Skeleton } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { limitWords } from "../../ui/workflow-form/field-kinds.ts";
import { prettyJson } from "../../ui/workflow-form/pretty-json.ts";

export function ClassDetail(props: {
  readonly name: string;
  readonly onCategory: (name: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { data, error, refetch } = useQuery({
    queryKey: ["class", props.name],
    queryFn: ({ signal }) => describe(props.name, signal),
    staleTime: 300_000,
  });
  const badge = useBadges()[props.name];
  if (error) return <FaultNote fault={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height="30rem" />;
  if (data === null)
    return (
      <Panel>
        <Empty
          title={words.missing.title(props.name)}
          actions={<Button onClick={props.onClose}>{words.missing.action}</Button>}
        >
          <p>{words.missing.text}</p>
        </Empty>
      </Panel>
    );
  return (
    <Panel
      title={data.title}
      actions={
        <IconButton small label={shared.close} onClick={props.onClose}>
          <X aria-hidden="true" />
        </IconButton>
      }
    >
      <Stack>
        {data.description ? <p>{data.description}</p> : null}
        <About of={data} onCategory={props.onCategory} />
        <Inputs of={data.inputs} />
        <Outputs of={data} />
        <Heading>{words.asNode}</Heading>
        <CodeBlock code={prettyJson({ 1: stubOf(data) })} label={words.nodeJson(data.name)} />
        {badge ? (
          <>
            <Heading>{words.badge}</Heading>
            <CodeBlock code={badge.expr} wrap label={words.badgeExpression} />
          </>
        ) : null}
      </Stack>
    </Panel>
  );
}

function About(props: { readonly of: DescribedClass; readonly onCategory: (name: string) => void }): ReactNode {
  const { name, category, runs_on, is_output, is_deprecated, is_experimental } = props.of;
  const where = [
    runs_on.engine ? words.where.engine : null,
    runs_on.application ? words.where.application : null,
    runs_on.pools.length > 0 ? words.where.pools(runs_on.pools.length) : null,
  ].filter(Boolean);
  return (
    <Stack>
      <div className={kit.actions} hidden={!is_output && !is_deprecated && !is_experimental}>
        {is_output ? <Chip tone="accent">{words.isOutput}</Chip> : null}
        {is_deprecated ? <Chip tone="warn">{words.isDeprecated}</Chip> : null}
        {is_experimental ? <Chip tone="info">{words.isExperimental}</Chip> : null}
      </div>
      <Facts
        of={[
          [words.class, <code key="name">{name}</code>],
          [
            words.category,
            <Button key="category" small onClick={() => props.onCategory(category)}>
              {category}
            </Button>,
          ],
          [words.runsOn, where.join(", ") || words.where.nowhere],
        ]}
      />
    </Stack>
  );
}

function Inputs({ of }: { readonly of: readonly DescribedInput[] }): ReactNode {
  if (of.length === 0) return <p className={kit.soft}>{words.noInputs}</p>;
  return (
    <>
      <Heading>{words.inputs}</Heading>
      <Table
        label={words.inputs}
        rows={of}
        keyOf={({ name }) => name}
        columns={[
          {
            name: "name",
            head: words.columns.name,
            cell: ({ name, is_required }) => (
              <>
                <code>{name}</code>
                {is_required ? null : <small className={kit.soft}> {words.optional}</small>}
              </>
            ),
          },
          {
            name: "type",
            head: words.columns.type,
            cell: ({ type, is_link, is_file }) => typeWords(type, is_link, is_file),
          },
          { name: "default", head: words.columns.default, cell: (input) => shortOf(input.default) },
          { name: "limits", head: words.columns.limits, cell: limitsOf },
        ]}
      />
    </>
  );
}

const typeWords = (type: string, isLink: boolean, isFile: boolean) =>
  isFile ? words.file(type) : isLink ? words.link(type) : type;

const shortOf = (value: unknown): string => {
  if (value === undefined) return "–";
  const text = writeJson(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
};

function limitsOf(input: DescribedInput): ReactNode {
  const choices = input.choices ?? [];
  const shown = choices.slice(0, 6).map((choice) => String(choice));
  return (
    <>
      {limitWords(input)}
      {choices.length > 0 ? words.choices(shown, choices.length - shown.length) : null}
      {input.tooltip ? <small className={kit.soft}> {input.tooltip}</small> : null}
    </>
  );
}

function Outputs({ of: { outputs } }: { readonly of: DescribedClass }): ReactNode {
  if (outputs.length === 0) return null;
  return (
    <>
      <Heading>{words.outputs}</Heading>
      <ol className={kit.actions}>
        {keyed(outputs, ({ name, type }) => `${name} ${type}`).map(([key, { name, type, is_list }], at) => (
          <li key={key}>
            <Chip>
              {at}: {is_list ? words.listOutput(words.output(name, type)) : words.output(name, type)}
            </Chip>
          </li>
        ))}
      </ol>
    </>
  );
}

// With the class's default values; links are left to the user.
function stubOf({ name, title, inputs }: DescribedClass): object {
  const given = inputs
    .filter(({ is_required }) => is_required)
    .map((input) => [
      input.name,
      input.is_link ? ["<node id>", 0] : (input.default ?? input.choices?.[0] ?? blankOf(input)),
    ]);
  return { class_type: name, inputs: Object.fromEntries(given), _meta: { title } };
}

function blankOf({ type, min }: DescribedInput): unknown {
  if (type === "INT" || type === "FLOAT") return min ?? 0;
  return type === "BOOLEAN" ? false : "";
}
