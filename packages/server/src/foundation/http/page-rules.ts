// What every page says about other pages: it is shown in no frame of theirs, shares no window with them and tells them no
// path. Not no-referrer: with that, browsers send `Origin: null` with our own forms and calls.
import type { HeaderValues } from "./area.ts";

export const pageRules: HeaderValues = {
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
  "x-frame-options": "DENY",
};
