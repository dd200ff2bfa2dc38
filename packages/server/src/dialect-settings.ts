// The settings for public clients: see the surfaces' dialect and the entrance for OpenAI-shaped ones.
import { choiceSetting, listSetting } from "./foundation/settings.ts";

export const dialectSettings = {
  dialect: choiceSetting({
    env: "ATELIER_DIALECT",
    default: "off",
    choices: ["off", "comfy", "openai", "comfy,openai"],
    about:
      "Also accept and send the names and formats that public clients of an ecosystem expect: comfy, openai or both. With off, responses follow the contract byte for byte.",
  }),
  openaiMappings: listSetting({
    env: "ATELIER_OPENAI_MAPPINGS",
    default: [],
    about:
      "Files that say which of your models OpenAI-shaped clients can call, and how. They come before the shipped one.",
  }),
} as const;
