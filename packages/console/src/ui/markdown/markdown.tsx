// A stranger's Markdown as elements. Nothing in it is loaded from anywhere: pictures are links, and links open elsewhere
// without telling where they were clicked.
import { type ReactNode, useMemo } from "react";
import { CodeBlock } from "../copy.tsx";
import { keyed } from "../keyed.ts";
import { Scrollable } from "../scrollable.tsx";
import styles from "./markdown.module.css";
import { type Block, type Inline, parseInline, parseMarkdown } from "./parse-markdown.ts";

export function Markdown(props: { readonly source: string; readonly codeLabel: string }): ReactNode {
  const blocks = useMemo(() => parseMarkdown(props.source), [props.source]);
  return (
    <div className={styles.text}>
      {keyed(blocks, (block) => JSON.stringify(block).slice(0, 200)).map(([key, block]) => (
        <OneBlock key={key} block={block} codeLabel={props.codeLabel} />
      ))}
    </div>
  );
}

// Below the page's own title and its panel's.
const headings = ["h3", "h4", "h5", "h6", "h6", "h6"] as const;

function OneBlock({ block, codeLabel }: { readonly block: Block; readonly codeLabel: string }): ReactNode {
  if (block.kind === "rule") return <hr />;
  if (block.kind === "code") return <CodeBlock code={block.text} label={codeLabel} />;
  if (block.kind === "quote")
    return (
      <blockquote>
        <Line text={block.text} />
      </blockquote>
    );
  if (block.kind === "paragraph")
    return (
      <p>
        <Line text={block.text} />
      </p>
    );
  if (block.kind === "heading") {
    const Title = headings[block.level - 1] ?? "h6";
    return (
      <Title>
        <Line text={block.text} />
      </Title>
    );
  }
  return block.kind === "list" ? <Items of={block} /> : <Cells of={block} />;
}

function Items({ of }: { readonly of: Extract<Block, { kind: "list" }> }): ReactNode {
  const List = of.isOrdered ? "ol" : "ul";
  return (
    <List>
      {keyed(of.items, ({ text }) => text).map(([key, { depth, text }]) => (
        <li key={key} data-depth={depth}>
          <Line text={text} />
        </li>
      ))}
    </List>
  );
}

function Cells({ of }: { readonly of: Extract<Block, { kind: "table" }> }): ReactNode {
  return (
    <Scrollable as="figure" className={styles.wide} label={of.head.join(", ")}>
      <table>
        <thead>
          <tr>
            {keyed(of.head, (cell) => cell).map(([key, cell]) => (
              <th key={key} scope="col">
                <Line text={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keyed(of.rows, (row) => row.join("|")).map(([key, row]) => (
            <tr key={key}>
              {keyed(row, (cell) => cell).map(([cellKey, cell]) => (
                <td key={cellKey}>
                  <Line text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}

function Line({ text }: { readonly text: string }): ReactNode {
  return keyed(parseInline(text), (part) => part.text).map(([key, part]) => <Part key={key} of={part} />);
}

function Part({ of }: { readonly of: Inline }): ReactNode {
  if (of.kind === "code") return <code>{of.text}</code>;
  if (of.kind === "strong") return <strong>{of.text}</strong>;
  if (of.kind === "emphasis") return <em>{of.text}</em>;
  if (of.kind === "text") return of.text;
  return (
    <a href={of.href} rel="noreferrer noopener" target="_blank">
      {of.text}
    </a>
  );
}
