// Settings for jobs and the engine that runs them. Part of the table in config.ts.
import { applicationProfiles, defaultProfile } from "@atelier/engine";
import { choiceSetting, integerSetting, optionalIntegerSetting, textSetting } from "./foundation/settings.ts";

export const jobSettings = {
  engineSlots: optionalIntegerSetting({
    env: "ATELIER_ENGINE_SLOTS",
    default: null,
    min: 0,
    max: 256,
    about:
      "How many graphs this process runs at once, each in a child process; one for each core if absent, 0 for none.",
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
      "How long one node of a graph may compute here; a node that calls a model or reads or writes files has the job's time.",
  }),
  applicationProfile: choiceSetting({
    env: "ATELIER_APPLICATION_PROFILE",
    default: defaultProfile,
    choices: applicationProfiles,
    about:
      "Which version of the application the engine follows: its classes, its libraries' arithmetic and its words. With 0.30 reading a picture needs ffmpeg, as reading a video does.",
  }),
  workspaceSharePercent: integerSetting({
    env: "ATELIER_WORKSPACE_SHARE_PERCENT",
    default: 50,
    min: 1,
    max: 100,
    about: "How much of what runs at once one workspace gets while others wait; what nobody else wants it gets too.",
  }),
  jobMemoryMegabytesMax: integerSetting({
    env: "ATELIER_JOB_MEMORY_MEGABYTES_MAX",
    default: 1024,
    min: 64,
    max: 1_048_576,
    about: "What the pictures of one running job may take; beyond it the job fails, and only it.",
  }),
  jobLeaseSeconds: integerSetting({
    env: "ATELIER_JOB_LEASE_SECONDS",
    default: 45,
    min: 3,
    max: 600,
    about: "How long a worker may be silent before its jobs are given to others.",
  }),
  jobDrainSeconds: integerSetting({
    env: "ATELIER_JOB_DRAIN_SECONDS",
    default: 60,
    min: 0,
    max: 3600,
    about: "How long running jobs may go on after a stop signal before they go back into the queue.",
  }),
  jobKeepDays: integerSetting({
    env: "ATELIER_JOB_KEEP_DAYS",
    default: 30,
    min: 1,
    max: 3650,
    about: "How many days after its creation a job and its outputs are kept.",
  }),
  jobSecondCredits: textSetting({
    env: "ATELIER_JOB_SECOND_CREDITS",
    default: null,
    about: "What a second of running costs, in credits such as 0.05; nothing if absent.",
  }),
} as const;
