// A menu, using the browser's popover: it closes with Escape and with a click elsewhere; arrow keys move within it.
import type { LucideIcon } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { useWhyNot } from "../api/may.ts";
import { Button, type ButtonLook } from "./button.tsx";
import kit from "./kit.module.css";

export interface MenuEntry {
  readonly label: ReactNode;
  readonly onPick: () => void;
  readonly disabled?: boolean;
  // The operation that it leads to, as a button names it.
  readonly does?: string;
}

export const entry = (Icon: LucideIcon, label: string, does: string, onPick: () => void): MenuEntry => ({
  label: (
    <>
      <Icon aria-hidden="true" />
      {label}
    </>
  ),
  does,
  onPick,
});

export function Menu(
  props: ButtonLook & { readonly label?: string; readonly trigger: ReactNode; readonly entries: readonly MenuEntry[] },
): ReactNode {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const { look, small, iconOnly } = props;
  const anchor = `--menu${id.replaceAll(/\W/g, "")}`;
  return (
    <>
      <Button
        look={look}
        small={small}
        iconOnly={iconOnly}
        aria-label={props.label}
        title={props.label}
        aria-haspopup="menu"
        popoverTarget={id}
        style={{ anchorName: anchor } as object}
      >
        {props.trigger}
      </Button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        className={kit.menu}
        style={{ positionAnchor: anchor } as object}
        onToggle={(event) => {
          if (event.newState === "open") itemsOf(menu.current)[0]?.focus();
        }}
        onKeyDown={(event) => moveWithin(menu.current, event)}
      >
        {props.entries.map((entry, at) => (
          <Item
            // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its position
            key={at}
            of={entry}
            onClose={() => menu.current?.hidePopover()}
          />
        ))}
      </div>
    </>
  );
}

function Item({ of, onClose }: { readonly of: MenuEntry; readonly onClose: () => void }): ReactNode {
  const blockedReason = useWhyNot(of.does);
  return (
    <button
      type="button"
      role="menuitem"
      className={kit.menuItem}
      disabled={of.disabled === true || blockedReason !== null}
      title={blockedReason ?? undefined}
      data-does={of.does}
      onClick={() => {
        onClose();
        of.onPick();
      }}
    >
      {of.label}
    </button>
  );
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)") ?? [])];
}

function moveWithin(menu: HTMLElement | null, event: KeyboardEvent): void {
  const items = itemsOf(menu);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  items.at(next % items.length)?.focus();
}
