// The way to the next page of a list that comes in pages.
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import type { CSSProperties, ReactNode } from "react";
import { Button } from "../button.tsx";
import kit from "../kit.module.css";

export function More(props: {
  readonly of: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
  readonly className?: string | undefined;
  readonly style?: CSSProperties;
  // Beside the button.
  readonly aside?: string;
  readonly children: ReactNode;
}): ReactNode {
  const { of, aside } = props;
  if (!of.hasNextPage) return null;
  return (
    <div className={props.className} style={props.style}>
      <Button disabled={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
        {props.children}
      </Button>
      {aside === undefined ? null : <span className={kit.soft}>{aside}</span>}
    </div>
  );
}
