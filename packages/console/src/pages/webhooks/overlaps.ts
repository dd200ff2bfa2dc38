// For how long an old secret may sign beside the new one.
import { webhooks } from "#strings/webhooks";

const words = webhooks.secrets.overlaps;

export const overlaps = [
  { value: "86400", label: words.day },
  { value: "3600", label: words.hour },
  { value: "604800", label: words.week },
  { value: "0", label: words.none },
];
