// `atelier doctor`: looks at everything a server needs and says how to mend what is wrong. Exit code 12 when something is.
import { access, constants, mkdir, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { findRingDisagreement } from "../capabilities/secrets/index.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../foundation/clock.ts";
import { pendingMigrations } from "../foundation/database/index.ts";
import { clockSkewMs, serverVersionOf } from "../foundation/database/ping-store.ts";
import { openRing } from "./build-capabilities.ts";
import { type Command, readCommand } from "./command.ts";
import { allInvariants } from "./invariants.ts";
import { migrationsDirectory } from "./open-storage.ts";
import { serverVersion } from "./server-version.ts";
import { type Workplace, withinProcess } from "./within-process.ts";

export interface Finding {
  readonly name: string;
  readonly state: "ok" | "warning" | "problem";
  readonly message: string;
  readonly mend?: string;
}

export const doctorCommand: Command = {
  async run(listed, input) {
    const { config } = readCommand(listed, input);
    const findings: Finding[] = [
      { name: "versions", state: "ok", message: `atelier ${serverVersion}, Node ${process.versions.node}` },
      ...(await lookAtHome(config)),
      await lookAtPort(config),
      ...(await lookAtDatabase(config)),
    ];
    const problems = findings.filter((finding) => finding.state === "problem").length;
    const warnings = findings.filter((finding) => finding.state === "warning").length;
    const verdict = `${problems} problem(s), ${warnings} warning(s)`;
    const marks = { ok: "✓", warning: "!", problem: "✕" };
    const text = [
      ...findings.flatMap((finding) => [
        `${marks[finding.state]} ${finding.name.padEnd(12)} ${finding.message}`,
        ...(finding.mend ? [`  ${" ".repeat(12)} → ${finding.mend}`] : []),
      ]),
      problems + warnings === 0 ? "No problems." : verdict,
    ].join("\n");
    return {
      data: { findings, problems, warnings },
      text,
      ...(problems > 0 ? { exitCode: 12, problem: verdict } : {}),
    };
  },
};

async function lookAtHome(config: Config): Promise<Finding[]> {
  const home = resolve(config.home);
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await access(home, constants.R_OK | constants.W_OK);
  } catch {
    return [
      {
        name: "home",
        state: "problem",
        message: `${home} cannot be written`,
        mend: "choose another with --home, or change its owner",
      },
    ];
  }
  const { bavail, bsize, blocks } = await statfs(home);
  const free = bavail * bsize;
  const isShort = free < 1024 ** 3 || bavail < blocks * 0.05;
  return [
    { name: "home", state: "ok", message: `${home} is writable` },
    {
      name: "disk",
      state: isShort ? "warning" : "ok",
      message: `${(free / 1024 ** 3).toFixed(1)} GiB free`,
      ...(isShort ? { mend: "uploads are refused below 5 % or 1 GiB: make room" } : {}),
    },
  ];
}

// A port in use is what a running server looks like, so it is no problem in itself.
function lookAtPort(config: Config): Promise<Finding> {
  return new Promise((answer) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) =>
      answer(
        error.code === "EADDRINUSE"
          ? {
              name: "port",
              state: "warning",
              message: `${config.host}:${config.port} is taken`,
              mend: "fine if it is your running server; else use --port",
            }
          : {
              name: "port",
              state: "problem",
              message: `${config.host}:${config.port} cannot be used (${error.code})`,
              mend: "choose another --host or --port",
            },
      ),
    );
    probe.listen({ host: config.host, port: config.port }, () =>
      probe.close(() => answer({ name: "port", state: "ok", message: `${config.host}:${config.port} is free` })),
    );
  });
}

async function lookAtDatabase(config: Config): Promise<Finding[]> {
  try {
    return await withinProcess(config, (place) => lookInside(config, place));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const mend =
      config.databaseUrl === null ? "look at the log lines above" : "check DATABASE_URL and that the server is up";
    return [{ name: "database", state: "problem", message: reason, mend }];
  }
}

async function lookInside(config: Config, { storage, log }: Workplace): Promise<Finding[]> {
  const { database } = storage;
  const version = await serverVersionOf(database);
  const skew = Math.abs(await clockSkewMs(database, systemClock.now()));
  const { pending, version: schema } = await pendingMigrations(database, migrationsDirectory);
  const findings: Finding[] = [
    {
      name: "database",
      state: "ok",
      message: `PostgreSQL ${version}${storage.isEmbedded ? " (embedded)" : ""}, schema version ${schema}`,
    },
    {
      name: "clock",
      state: skew > 5000 ? "warning" : "ok",
      message: `${Math.round(skew)} ms from the database's`,
      ...(skew > 5000 ? { mend: "set the clocks (NTP); leases and expiries go by the database's" } : {}),
    },
  ];
  if (pending.length > 0) {
    findings.push({
      name: "migrations",
      state: storage.isEmbedded ? "warning" : "problem",
      message: `${pending.length} pending`,
      mend: "run: atelier migrate",
    });
    return findings;
  }
  const ring = await openRing({ config, clock: systemClock, log });
  const disagreement = await findRingDisagreement({ database, ring, clock: systemClock });
  findings.push(
    disagreement === null
      ? { name: "key ring", state: "ok", message: "agrees with the database" }
      : {
          name: "key ring",
          state: "problem",
          message: disagreement,
          mend: "restore the right secrets.json, or: atelier secrets adopt --yes",
        },
  );
  for (const invariant of allInvariants) {
    const broken = (await database.query(invariant.statement)).length;
    if (broken > 0)
      findings.push({
        name: "invariant",
        state: "problem",
        message: `${invariant.name}: ${broken} row(s)`,
        mend: "restore a backup, or report it with this line",
      });
  }
  findings.push({ name: "invariants", state: "ok", message: `${allInvariants.length} looked at` });
  return findings;
}
