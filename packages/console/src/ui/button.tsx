import { Link, type LinkProps } from "@tanstack/react-router";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { type ButtonLook, buttonClass } from "./button-class.ts";
import { toast, toastsNow } from "./toast-store.ts";

export { type ButtonLook, buttonClass } from "./button-class.ts";

export interface ButtonProps extends Omit<ComponentProps<"button">, "className">, ButtonLook {
  readonly className?: string | undefined;
  // Why it cannot be pressed now: it stays reachable by keyboard, and says so: on hover, to those who hear the page, and
  // when it is pressed all the same.
  readonly why?: string | null | undefined;
}

export function Button({ look, small, iconOnly, className, why, onClick, title, ...rest }: ButtonProps): ReactNode {
  const blocked = why !== null && why !== undefined;
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass({ look, small, iconOnly }, className)}
      {...(blocked ? { "aria-disabled": true, title: why } : { title })}
      onClick={blocked ? (event) => tellWhy(event, why) : onClick}
    />
  );
}

function tellWhy(event: MouseEvent, why: string): void {
  event.preventDefault();
  if (!toastsNow().some(({ words }) => words === why)) toast(why);
}

// A button that is a picture: its name is for those who do not see it, and on hover for those who do.
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
