// Where files made by users are served, and for how long their addresses work.
import { integerSetting, optionalIntegerSetting, switchSetting, urlSetting } from "./foundation/settings.ts";

export const contentSettings = {
  contentUrl: urlSetting({
    env: "ATELIER_CONTENT_URL",
    default: null,
    about:
      "The public URL of the content origin, which serves files made by users. Default: the address of ATELIER_CONTENT_PORT.",
  }),
  contentPort: optionalIntegerSetting({
    env: "ATELIER_CONTENT_PORT",
    default: null,
    min: 0,
    max: 65535,
    about: "The port of the content origin. Default: ATELIER_PORT + 1.",
  }),
  contentRedirect: switchSetting({
    env: "ATELIER_CONTENT_REDIRECT",
    default: false,
    about:
      "With blobs on S3: after all checks, redirect downloads by signed URL (302) to the store's own signed URL instead of sending them through this server.",
  }),
  signedUrlSeconds: integerSetting({
    env: "ATELIER_SIGNED_URL_SECONDS",
    default: 21_600,
    min: 600,
    max: 21_600,
    about: "How long a signed URL works, in seconds.",
  }),
};
