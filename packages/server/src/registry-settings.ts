// Settings for the node registry.
import { choiceSetting, integerSetting, listSetting, textSetting, urlSetting } from "./foundation/settings.ts";

export const registrySettings = {
  registryUpstream: urlSetting({
    env: "ATELIER_REGISTRY_UPSTREAM",
    default: null,
    about: "Another node registry whose nodes are shown and served here as well; none if absent.",
  }),
  registryUpstreamSeconds: integerSetting({
    env: "ATELIER_REGISTRY_UPSTREAM_SECONDS",
    default: 300,
    min: 1,
    max: 86_400,
    about: "How often the upstream registry is asked for changes, and how long an answer of it counts as fresh.",
  }),
  registryUpstreamArchives: choiceSetting({
    env: "ATELIER_REGISTRY_UPSTREAM_ARCHIVES",
    default: "asked",
    choices: ["none", "asked", "latest"],
    about:
      "Which archives of the upstream registry are copied: none (they stay where upstream keeps them), those that somebody asked for, or also the latest of every node.",
  }),
  registryUpstreamArchiveBytes: integerSetting({
    env: "ATELIER_REGISTRY_UPSTREAM_ARCHIVE_BYTES",
    default: 20 * 1024 ** 3,
    min: 1_000_000,
    max: 1024 ** 5,
    about: "How many bytes those copies may take together; what was asked for longest ago goes first.",
  }),
  registryUpstreamContent: urlSetting({
    env: "ATELIER_REGISTRY_UPSTREAM_CONTENT",
    default: null,
    about: "Where the upstream registry keeps its archives, when that is an address on this machine.",
  }),
  registryRequiredFields: listSetting({
    env: "ATELIER_REGISTRY_REQUIRED_FIELDS",
    default: [],
    item: (text) => (text === "repository" || text === "license" ? null : "is neither repository nor license"),
    about: "What a new node must have besides id and name: repository, license.",
  }),
  registryRules: textSetting({
    env: "ATELIER_REGISTRY_RULES",
    default: null,
    about: "A JSON file with further rules for node archives, and with built-in ones that shall not count.",
  }),
  registryChecks: integerSetting({
    env: "ATELIER_REGISTRY_CHECKS",
    default: 1,
    min: 1,
    max: 32,
    about: "How many node archives one process checks at the same time, each in a child process of up to 512 MiB.",
  }),
  registryDeletedDays: integerSetting({
    env: "ATELIER_REGISTRY_DELETED_DAYS",
    default: 30,
    min: 0,
    max: 3_650,
    about: "How many days the archives of a deleted node are kept; its numbers stay taken for good.",
  }),
  registryInstallable: listSetting({
    env: "ATELIER_REGISTRY_INSTALLABLE",
    default: [],
    item: (text) => (text === "pending" || text === "flagged" ? null : "is neither pending nor flagged"),
    about: "Which versions can be installed by their number besides active ones: pending, flagged.",
  }),
  registryPublishersMax: integerSetting({
    env: "ATELIER_REGISTRY_PUBLISHERS_MAX",
    default: 5,
    min: 1,
    max: 1_000_000,
    about: "How many publishers one person, or the API keys of one workspace together, may have.",
  }),
  codeHostApiUrl: urlSetting({
    env: "ATELIER_CODE_HOST_API_URL",
    default: null,
    about:
      "The API of the code host that proves who may claim a node and tells the stars of repositories; https://api.github.com if absent.",
  }),
  codeHostName: textSetting({
    env: "ATELIER_CODE_HOST_NAME",
    default: "github.com",
    about: "The host name under which repositories of that code host stand.",
  }),
};
