// Settings for jobs and the engine that runs them. Part of the table in config.ts.
import { applicationProfiles, defaultProfile } from "@atelier/engine";
import { choiceSetting, integerSetting, optionalIntegerSetting, textSetting } from "./foundation/settings.ts";

export const jobSettings = {
  engineSlots: optionalIntegerSetting({
    env: "ATELIER_ENGINE_SLOTS",
    default: null,
    min: 0,
    max: 256,
    about: "How many graphs this process runs at once, each in a child process; 0 runs none. Default: one per core.",
  }),
  engineSharing: choiceSetting({
    env: "ATELIER_ENGINE_SHARING",
    default: "all",
    choices: ["all", "workspace"],
    about:
      "Who shares an engine process: all workspaces, one after the other, or only the jobs of one workspace. Operators can decide it for one workspace with the limit own_engine.",
  }),
  jobSecondsMax: integerSetting({
    env: "ATELIER_JOB_SECONDS_MAX",
    default: 600,
    min: 1,
    max: 86_400,
    about: "How long one attempt at a job may run.",
  }),
  nodeSecondsMax: integerSetting({
    env: "ATELIER_NODE_SECONDS_MAX",
    default: 180,
    min: 1,
    max: 86_400,
    about:
      "How long one node of a graph may compute on this server. Nodes that call a model or read or write files may use the whole job's time.",
  }),
  applicationProfile: choiceSetting({
    env: "ATELIER_APPLICATION_PROFILE",
    default: defaultProfile,
    choices: applicationProfiles,
    about:
      "The version of the application that the engine imitates: its classes, arithmetic and messages. With 0.30, reading pictures requires ffmpeg, as reading videos always does.",
  }),
  workspaceSharePercent: integerSetting({
    env: "ATELIER_WORKSPACE_SHARE_PERCENT",
    default: 50,
    min: 1,
    max: 100,
    about:
      "The share of running jobs that one workspace gets while others are waiting. It may use more while nobody else needs it.",
  }),
  jobMemoryMegabytesMax: integerSetting({
    env: "ATELIER_JOB_MEMORY_MEGABYTES_MAX",
    default: 1024,
    min: 64,
    max: 1_048_576,
    about: "How much memory the pictures of one running job may use; a job that needs more fails.",
  }),
  jobLeaseSeconds: integerSetting({
    env: "ATELIER_JOB_LEASE_SECONDS",
    default: 45,
    min: 3,
    max: 600,
    about: "How long a worker may be silent before its jobs go to other workers.",
  }),
  jobDrainSeconds: integerSetting({
    env: "ATELIER_JOB_DRAIN_SECONDS",
    default: 60,
    min: 0,
    max: 3600,
    about: "How long running jobs may continue after a stop signal before they return to the queue.",
  }),
  jobKeepDays: integerSetting({
    env: "ATELIER_JOB_KEEP_DAYS",
    default: 30,
    min: 1,
    max: 3650,
    about: "How many days a job and its outputs are kept after it was created.",
  }),
  jobSecondCredits: textSetting({
    env: "ATELIER_JOB_SECOND_CREDITS",
    default: null,
    about: "What one second of running costs, in credits, such as 0.05. Default: nothing.",
  }),
} as const;
