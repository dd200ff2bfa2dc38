// The page around it: nothing but its content, a way to change the colours, and our name.
import { Moon, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { runWork as words } from "#strings/works/run";
import { IconButton } from "../../ui/button.tsx";
import mark from "../../ui/mark.svg";
import { chooseTheme, useTheme } from "../../ui/theme.ts";
import styles from "./run-work.module.css";

export function PageFrame({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className={styles.page}>
      <title>{title}</title>
      {children}
      <div className={styles.foot}>
        <span className={styles.brand}>
          <img src={mark} alt="" />
          {words.brand}
        </span>
        <ThemeButton />
      </div>
    </div>
  );
}

function ThemeButton(): ReactNode {
  const theme = useTheme();
  const isDark = theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
  return (
    <IconButton
      label={isDark ? words.theme.light : words.theme.dark}
      onClick={() => chooseTheme(isDark ? "light" : "dark")}
    >
      {isDark ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
    </IconButton>
  );
}
