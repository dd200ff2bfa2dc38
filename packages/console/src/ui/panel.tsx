import { type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";
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
  // Without a margin: for tables and pictures that reach the edge.
  readonly flush?: boolean;
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <section className={classNames(kit.panel, props.className)} {...(props.title ? { "aria-labelledby": id } : {})}>
      {props.title ? (
        <div className={kit.panelHead}>
          <h2 id={id}>{props.title}</h2>
          {props.actions}
        </div>
      ) : null}
      <div className={props.flush ? undefined : kit.panelBody}>{props.children}</div>
    </section>
  );
}

// Names and what they are, one beside the other.
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

export function Grid({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={kit.grid}>{children}</div>;
}
