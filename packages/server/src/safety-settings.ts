// Settings of the operator's safety hook (decision 0041).
import {
  integerSetting,
  listSetting,
  optionalChoiceSetting,
  secretSetting,
  urlSetting,
} from "./foundation/settings.ts";

export const safetySettings = {
  safetyHookUrl: urlSetting({
    env: "ATELIER_SAFETY_HOOK_URL",
    default: null,
    about:
      "A program of yours that is asked before a model call is sent and before its answer is delivered. https, or http on this machine; private networks are opened with ATELIER_EGRESS_ALLOW=safety=…. Default: none.",
  }),
  safetyHookSecret: secretSetting({
    env: "ATELIER_SAFETY_HOOK_SECRET",
    default: null,
    prefix: "whsec_",
    lengthMin: 38,
    about: "Signs what the hook is asked, as webhooks are signed: whsec_ and at least 24 bytes in base64.",
  }),
  safetyHookOnFailure: optionalChoiceSetting({
    env: "ATELIER_SAFETY_HOOK_ON_FAILURE",
    choices: ["closed", "open"],
    about:
      "What happens to a call while the hook gives no verdict: closed fails it, open lets it pass unchecked. Required with ATELIER_SAFETY_HOOK_URL.",
  }),
  safetyHookMsMax: integerSetting({
    env: "ATELIER_SAFETY_HOOK_MS_MAX",
    default: 5_000,
    min: 50,
    max: 30_000,
    about: "How long a call waits for a verdict, in milliseconds.",
  }),
  safetyHookStages: listSetting({
    env: "ATELIER_SAFETY_HOOK_STAGES",
    default: ["input", "answer"],
    item: (text) => (text === "input" || text === "answer" ? null : "is not input or answer"),
    about: "When the hook is asked: input, before a call is sent; answer, before its answer is delivered.",
  }),
  safetyHookModels: listSetting({
    env: "ATELIER_SAFETY_HOOK_MODELS",
    default: [],
    item: (text) => (/^[a-z0-9._*/-]{1,193}$/.test(text) ? null : "is not a model id such as openai/* or */image-1"),
    about:
      "The models whose calls are shown to the hook, such as openai/*; * stands for any characters. A route counts if its own id or a target's matches. Default: all models.",
  }),
  safetyHookBytesMax: integerSetting({
    env: "ATELIER_SAFETY_HOOK_BYTES_MAX",
    default: 1024 * 1024,
    min: 0,
    max: 20 * 1024 * 1024,
    about:
      "The largest input or answer that the hook is shown, in bytes. Of a larger one, and of one that is not JSON, it gets type, size and hash.",
  }),
} as const;
