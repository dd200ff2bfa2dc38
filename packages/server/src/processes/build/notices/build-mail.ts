import {
  createMail,
  createSendMail,
  type Mail,
  mailMeter,
  mailProblems,
  readMailSettings,
  silentMailMeter,
} from "../../../capabilities/mail/index.ts";
import type { Config } from "../../../config.ts";
import type { Database } from "../../../foundation/database/index.ts";
import type { KnownSecrets } from "../../../foundation/known-secrets.ts";
import type { Metrics } from "../../../foundation/metrics.ts";
import { UsageProblem } from "../../../foundation/settings.ts";
import type { OwnAddresses } from "../../../surfaces/own-addresses.ts";
import type { ProcessDeps } from "../process-deps.ts";

export interface MailBuildDeps extends ProcessDeps {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly known: Pick<KnownSecrets, "text">;
}

export function buildMail({ config, life, clock, log, database, metrics, known }: MailBuildDeps): Mail {
  const settings = readMailSettings(config);
  const redact = (text: string) => known.text(text);
  const mail = createMail({
    ...{ database, clock, log, keepDays: config.webhookKeepDays },
    send: settings && createSendMail({ ...settings, clock, redact }),
    domain: settings?.from.address.split("@")[1] ?? "",
    meter: settings === null ? silentMailMeter : mailMeter(metrics, { database, clock }),
  });
  // An attempt in progress may finish.
  life.work("mail", mail, 70);
  return mail;
}

// A server that could not send would lose alerts silently, so it does not start.
export function requireMail(config: Config): void {
  const problems = mailProblems(config);
  if (problems.length > 0) throw new UsageProblem(problems);
}

// Where people open the console. Null if only this machine could.
export function consoleUrl(
  { platformUrl }: Pick<OwnAddresses, "platformUrl">,
  { baseUrl, platformUrl: given }: Pick<Config, "baseUrl" | "platformUrl">,
): () => string | null {
  return () => (baseUrl === null && given === null ? null : platformUrl());
}
