// What the application reports about itself: its node classes, its machine, its features.

import { freemem, totalmem } from "node:os";
import { describeClasses } from "@atelier/engine";
import type { Application } from "./application.ts";
import { featureFlags } from "./clients.ts";
import { empty, json, type Reply } from "./reply.ts";

const versionNumbers = { old: "0.3.64", new: "0.26.0" } as const;

export function aboutReply(application: Application, path: string): Reply | null {
  const [, name = "", part = "", ...more] = path.split("/");
  if (more.length > 0) return null;
  const whole = part === "";
  if (name === "object_info") return objectInfo(application, decodeURIComponent(part));
  if (name === "system_stats" && whole) return json(200, systemStats(application));
  if (name === "features" && whole) return json(200, featureFlags);
  if (name === "embeddings" && whole) return json(200, []);
  if (name === "models") {
    const names = application.folders.modelNames(decodeURIComponent(part));
    return names ? json(200, names) : empty(404);
  }
  return null;
}

function objectInfo({ folders, classes: all }: Application, name: string): Reply {
  const found = all.get(name);
  const classes = name === "" ? all : new Map(found ? [[name, found]] : []);
  return json(200, describeClasses(classes, folders.inputNames(), { isExact: true }));
}

function systemStats({ version }: Application): object {
  const memory = { ram_total: totalmem(), ram_free: freemem() };
  const device = {
    name: "cpu",
    type: "cpu",
    index: null,
    vram_total: memory.ram_total,
    vram_free: memory.ram_free,
    torch_vram_total: memory.ram_total,
    torch_vram_free: memory.ram_free,
  };
  return {
    system: {
      os: "posix",
      ...memory,
      application_version: versionNumbers[version],
      python_version: "3.11.9 (stand-in)",
      pytorch_version: "2.9.0+cpu",
      embedded_python: false,
      argv: ["main.py"],
    },
    devices: [device],
  };
}
