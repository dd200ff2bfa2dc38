import { AudioLines, Box, Clapperboard, Image, type LucideIcon, Type } from "lucide-react";
import { models as words } from "#strings/models";
import type { ModelKind } from "../../../api/models.ts";

export const kindLooks: Readonly<Record<ModelKind, { readonly word: string; readonly icon: LucideIcon }>> = {
  image: { word: words.kinds.image, icon: Image },
  video: { word: words.kinds.video, icon: Clapperboard },
  audio: { word: words.kinds.audio, icon: AudioLines },
  text: { word: words.kinds.text, icon: Type },
  other: { word: words.kinds.other, icon: Box },
};
