// An icon for the kind of thing, where there is no thumbnail.
import { Box, FileText, Film, type LucideIcon, Music, Waves } from "lucide-react";
import type { ReactNode } from "react";
import { ui as words } from "#strings/ui";

const icons: Readonly<Record<string, LucideIcon>> = { video: Film, audio: Music, text: FileText, latent: Waves };

export function KindIcon({ kind, size = 28 }: { readonly kind: string; readonly size?: number }): ReactNode {
  const Icon = icons[kind] ?? Box;
  return <Icon aria-hidden="true" size={size} strokeWidth={1.5} />;
}

export const kindWords: Readonly<Record<string, string>> = words.kinds;
