// A heading one level below its title: h3 in a panel or dialog that has one, h2 directly under the page's. So no level is
// skipped, and a component can be used in both positions.
import { type ComponentProps, createContext, type ReactNode, useContext } from "react";

const Level = createContext<2 | 3>(2);

export function UnderTitle({ children }: { readonly children: ReactNode }): ReactNode {
  return <Level.Provider value={3}>{children}</Level.Provider>;
}

export function Heading(props: ComponentProps<"h2">): ReactNode {
  return useContext(Level) === 2 ? <h2 {...props} /> : <h3 {...props} />;
}
