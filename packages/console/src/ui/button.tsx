import { Link, type LinkProps } from "@tanstack/react-router";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { useWhyNot } from "../api/may.ts";
import { type ButtonLook, buttonClass } from "./button-class.ts";
import { toast, toastsNow } from "./toast-store.ts";

export { type ButtonLook, buttonClass } from "./button-class.ts";

export interface ButtonProps extends Omit<ComponentProps<"button">, "className">, ButtonLook {
  readonly className?: string | undefined;
  // Why the button is disabled. It stays reachable by keyboard and gives the reason on hover, to screen readers, and when it is
  // pressed anyway.
  readonly why?: string | null | undefined;
  // The operation that it leads to. People whose role may not call it find the button disabled, with the reason.
  readonly does?: string | undefined;
}

export function Button({ does, ...rest }: ButtonProps): ReactNode {
  return does === undefined ? <PlainButton {...rest} /> : <GuardedButton {...rest} does={does} />;
}

function GuardedButton({ does, why, ...rest }: ButtonProps & { readonly does: string }): ReactNode {
  const whyNot = useWhyNot(does);
  return <PlainButton {...rest} why={whyNot ?? why} data-does={does} />;
}

function PlainButton({
  look,
  small,
  iconOnly,
  className,
  why,
  onClick,
  title,
  ...rest
}: Omit<ButtonProps, "does">): ReactNode {
  const blocked = why !== null && why !== undefined;
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ look, small, iconOnly }, className)}
      {...(blocked ? { "aria-disabled": true, title: why } : { title })}
      onClick={blocked ? (event) => explainWhy(event, why) : onClick}
    />
  );
}

function explainWhy(event: MouseEvent, why: string): void {
  event.preventDefault();
  if (!toastsNow().some(({ words }) => words === why)) toast(why);
}

// An icon button. Its label is for screen readers, and a tooltip for everyone else.
export function IconButton({ label, ...rest }: ButtonProps & { readonly label: string }): ReactNode {
  return <Button look="quiet" iconOnly aria-label={label} title={label} {...rest} />;
}

export function LinkButton({
  look,
  small,
  iconOnly,
  className,
  ...rest
}: LinkProps & ButtonLook & { readonly className?: string; readonly children?: ReactNode }): ReactNode {
  return <Link {...rest} className={buttonClass({ look, small, iconOnly }, className)} />;
}
