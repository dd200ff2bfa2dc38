// A region that scrolls on its own. It has a name and takes the focus, because arrow keys are the only way to scroll it by
// keyboard.
import type { CSSProperties, ReactNode, Ref } from "react";

type Named = { readonly label: string } | { readonly labelledBy: string };

export function Scrollable(
  props: Named & {
    // A figure if there are several on a page, because every named section is a landmark.
    readonly as?: "section" | "figure";
    readonly className: string | undefined;
    readonly style?: CSSProperties;
    readonly ref?: Ref<HTMLElement>;
    readonly children: ReactNode;
  },
): ReactNode {
  const name = "label" in props ? { "aria-label": props.label } : { "aria-labelledby": props.labelledBy };
  const Region = props.as ?? "section";
  return (
    <Region ref={props.ref} className={props.className} style={props.style} tabIndex={0} {...name}>
      {props.children}
    </Region>
  );
}
