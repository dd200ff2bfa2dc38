// How the processes of one installation wake each other.
import { secretSetting, textSetting } from "./foundation/settings.ts";

const server = String.raw`(?:nats|tls)://[\w.\-[\]:]+`;

export const busSettings = {
  bus: textSetting({
    env: "ATELIER_BUS",
    default: "auto",
    pattern: new RegExp(`^(?:auto|in-process|postgres|${server}(?:,${server})*(?:/[\\w-]+)?)$`),
    shape:
      "auto, in-process, postgres, or nats://host:4222 (tls:// with TLS; further servers after commas; at the end, after a slash, the prefix of its subjects; no credential in it)",
    about:
      "How processes wake each other: in-process, postgres (for a few) or nats://host:4222 (for many; tls:// with TLS). auto means postgres with DATABASE_URL, otherwise in-process.",
  }),
  busCredentials: secretSetting({
    env: "ATELIER_BUS_CREDENTIALS",
    default: null,
    isText: true,
    about: "For NATS: user:password, a token, or the content of a .creds file.",
  }),
  busAuthorityFile: textSetting({
    env: "ATELIER_BUS_CA_FILE",
    default: null,
    about: "For NATS with TLS: a PEM file of certificate authorities to trust. Default: the well-known ones.",
  }),
};
