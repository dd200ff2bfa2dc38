// The operator's bounds on what workspaces keep.
import { integerSetting } from "./foundation/settings.ts";

export const requestBodySettings = {
  bodyKeepHoursMax: integerSetting({
    env: "ATELIER_BODY_KEEP_HOURS_MAX",
    default: 720,
    min: 0,
    max: 8_760,
    about:
      "How long a workspace may keep the inputs and answers of its model calls, in hours, if its owner turns that on. With 0, no workspace can, and what was kept is deleted.",
  }),
  bodyKeepBytesMax: integerSetting({
    env: "ATELIER_BODY_KEEP_BYTES_MAX",
    default: 256 * 1024,
    min: 1024,
    max: 4 * 1024 * 1024,
    about:
      "The largest input or answer that is kept, in bytes, after files and secrets in it were removed. Of a larger one, only type, size and hash are kept.",
  }),
  bodyKeepWorkspaceBytesMax: integerSetting({
    env: "ATELIER_BODY_KEEP_WORKSPACE_BYTES_MAX",
    default: 1024 * 1024 * 1024,
    min: 1024 * 1024,
    about: "How much a workspace may keep of its inputs and answers, in bytes. Beyond that, the oldest are deleted.",
  }),
  retentionDaysMin: integerSetting({
    env: "ATELIER_RETENTION_DAYS_MIN",
    default: 1,
    min: 1,
    max: 3_650,
    about: "The fewest days that an owner may set for a workspace's outputs, uploads and history.",
  }),
  retentionDaysMax: integerSetting({
    env: "ATELIER_RETENTION_DAYS_MAX",
    default: 0,
    min: 0,
    max: 3_650,
    about:
      "After how many days outputs, uploads and history are deleted in every workspace, whatever its owners decide. With 0, they decide.",
  }),
};
