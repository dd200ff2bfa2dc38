import { type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";
import { UnderTitle } from "./heading.tsx";
import kit from "./kit.module.css";

export function PageHead(props: {
  readonly title: ReactNode;
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className={kit.pageHead}>
      <div>
        <h1>{props.title}</h1>
        {props.lead ? <div className={kit.lead}>{props.lead}</div> : null}
      </div>
      {props.children ? <div className={kit.actions}>{props.children}</div> : null}
    </div>
  );
}

export function Panel(props: {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  // No margin, for tables and pictures that reach the edge.
  readonly flush?: boolean;
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}): ReactNode {
  const id = useId();
  const body = <div className={props.flush ? undefined : kit.panelBody}>{props.children}</div>;
  // Without a title it is a plain box, not a landmark.
  if (!props.title) return <div className={classNames(kit.panel, props.className)}>{body}</div>;
  return (
    <section className={classNames(kit.panel, props.className)} aria-labelledby={id}>
      <div className={kit.panelHead}>
        <h2 id={id}>{props.title}</h2>
        {props.actions}
      </div>
      <UnderTitle>{body}</UnderTitle>
    </section>
  );
}

// Names and values, side by side.
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ReactNode])[] }): ReactNode {
  return (
    <dl className={kit.facts}>
      {of.map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Stack({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={kit.stack}>{children}</div>;
}
