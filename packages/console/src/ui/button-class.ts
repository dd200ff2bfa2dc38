import { classNames } from "./class-names.ts";
import kit from "./kit.module.css";

export interface ButtonLook {
  readonly look?: "primary" | "danger" | "quiet" | undefined;
  readonly small?: boolean | undefined;
  readonly iconOnly?: boolean | undefined;
}

export function buttonClass({ look, small, iconOnly }: ButtonLook, more?: string): string {
  return classNames(kit.button, look && kit[look], small && kit.small, iconOnly && kit.icon, more);
}
