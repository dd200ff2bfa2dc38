// What one can do with something that was made: see it at its full size, download it, share it.
import type { Asset } from "@atelier/sdk";
import { Download, Link2, type LucideIcon, Maximize2, Minimize2 } from "lucide-react";
import type { ReactNode } from "react";
import { shared } from "#strings/shared";
import { uiViewers } from "#strings/ui/viewers";
import { atelier } from "../../api/atelier.ts";
import { Button, IconButton } from "../button.tsx";
import { classNames } from "../class-names.ts";
import { copyText } from "../copy.tsx";
import { toast, toastFault } from "../toast-store.ts";
import { saveFile } from "./save-file.ts";
import styles from "./viewers.module.css";

const words = uiViewers.tools;

export function MediumTools(props: {
  readonly src: string;
  readonly name: string;
  readonly isPicture: boolean;
  readonly isZoomed: boolean;
  readonly onZoom: () => void;
  // Absent if it is not kept, or may not be shared from here.
  readonly asset?: Pick<Asset, "id"> | null;
  // Icons alone, where there is little room.
  readonly isSmall?: boolean | undefined;
  readonly children?: ReactNode;
}): ReactNode {
  const { asset } = props;
  return (
    <div className={styles.tools} role="toolbar" aria-label={words.label}>
      {props.isPicture ? (
        <Tool
          icon={props.isZoomed ? Minimize2 : Maximize2}
          label={props.isZoomed ? words.fit : words.full}
          isSmall={props.isSmall}
          isPressed={props.isZoomed}
          onClick={props.onZoom}
        />
      ) : null}
      <Tool
        icon={Download}
        label={shared.download}
        isSmall={props.isSmall}
        onClick={() => void save(props.src, props.name)}
      />
      {asset ? (
        <Tool icon={Link2} label={words.share} isSmall={props.isSmall} onClick={() => void share(asset)} />
      ) : null}
      {props.children}
    </div>
  );
}

export function Tool(props: {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly isSmall?: boolean | undefined;
  readonly isPressed?: boolean;
  readonly onClick: () => void;
}): ReactNode {
  const { icon: Icon, label } = props;
  const pressed = props.isPressed === undefined ? {} : { "aria-pressed": props.isPressed };
  return props.isSmall ? (
    <IconButton small label={label} onClick={props.onClick} {...pressed}>
      <Icon aria-hidden="true" />
    </IconButton>
  ) : (
    <Button small onClick={props.onClick} {...pressed}>
      <Icon aria-hidden="true" />
      {label}
    </Button>
  );
}

// A link would open it instead: it is on another origin.
async function save(src: string, name: string): Promise<void> {
  try {
    const response = await fetch(src);
    if (!response.ok) throw new Error(words.unavailable);
    saveFile(await response.blob(), name.split("/").at(-1) || words.file);
  } catch (thrown) {
    toastFault(thrown, words.saving);
  }
}

async function share({ id }: Pick<Asset, "id">): Promise<void> {
  try {
    const { url, expiresAt } = await atelier.assets.share(await atelier.assets.get(id));
    await copyText(url);
    const until = expiresAt?.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    toast(until === undefined ? words.copied : words.copiedUntil(until));
  } catch (thrown) {
    toastFault(thrown, words.sharing);
  }
}

// At its full size a picture is scrolled, by keyboard too.
export function Zoomable(props: {
  readonly isZoomed: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}): ReactNode {
  const scrolled = props.isZoomed ? { tabIndex: 0, role: "region", "aria-label": words.zoomed } : {};
  return (
    <div className={classNames(styles.zoomable, props.className)} data-zoomed={props.isZoomed} {...scrolled}>
      {props.children}
    </div>
  );
}
