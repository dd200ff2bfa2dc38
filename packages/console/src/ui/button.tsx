import { Link, type LinkProps } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import { type ButtonLook, buttonClass } from "./button-class.ts";

export { type ButtonLook, buttonClass } from "./button-class.ts";

export interface ButtonProps extends Omit<ComponentProps<"button">, "className">, ButtonLook {
  readonly className?: string | undefined;
  // Why it cannot be pressed now: it stays reachable by keyboard, and says so.
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
      onClick={blocked ? (event) => event.preventDefault() : onClick}
    />
  );
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
