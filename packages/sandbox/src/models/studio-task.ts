// The tasks of the studio's threads and their execution: typed arrays only, nothing that waits.
import { type ClipRequest, renderClip } from "../light/clip.ts";
import type { Raster } from "../light/raster.ts";
import { type RefilmRequest, refilm } from "../light/refilm.ts";
import { relight } from "../light/relight.ts";
import type { RelightOrder } from "../light/relight-order.ts";
import { restyle, type StyleOrder } from "../light/restyle.ts";
import { enhanceSkin, type SkinOrder } from "../light/skin.ts";
import { type AnimationRequest, renderAnimation } from "../pictures/animation.ts";
import { type PictureRequest, renderPicture } from "../pictures/picture.ts";
import { speak, type VoiceRequest } from "./voice.ts";

export type StudioTask =
  | ({ readonly kind: "picture" } & PictureRequest)
  | ({ readonly kind: "animation" } & AnimationRequest)
  | ({ readonly kind: "voice" } & VoiceRequest)
  | { readonly kind: "relight"; readonly image: Raster; readonly light: Raster | null; readonly order: RelightOrder }
  | { readonly kind: "skin"; readonly image: Raster; readonly order: SkinOrder }
  | { readonly kind: "restyle"; readonly image: Raster; readonly reference: Raster; readonly order: StyleOrder }
  | ({ readonly kind: "clip" } & ClipRequest)
  | ({ readonly kind: "refilm" } & RefilmRequest);

export type StudioReply = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly failure: string };

export function perform(task: StudioTask): Uint8Array<ArrayBuffer> {
  switch (task.kind) {
    case "picture":
      return renderPicture(task);
    case "animation":
      return renderAnimation(task);
    case "voice":
      return speak(task);
    case "relight":
      return relight(task.image, task.light, task.order);
    case "skin":
      return enhanceSkin(task.image, task.order);
    case "restyle":
      return restyle(task.image, task.reference, task.order);
    case "clip":
      return renderClip(task);
    case "refilm":
      return refilm(task);
  }
}
