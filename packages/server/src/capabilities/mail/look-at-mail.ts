// Whether the mail server can be reached and takes our name and password. Sends nothing.

import { systemClock } from "../../foundation/clock.ts";
import { type Finding, problem, warning, well } from "../../foundation/looks/finding.ts";
import { mailProblems, readMailSettings } from "./mail-server.ts";
import { connectOnly } from "./send-mail.ts";

export async function lookAtMail(config: Parameters<typeof readMailSettings>[0]): Promise<Finding[]> {
  const problems = mailProblems(config);
  if (problems.length > 0)
    return problems.map((words) => problem("mail", words, "the server does not start with this"));
  const settings = readMailSettings(config);
  if (settings === null)
    return config.mailFrom === null
      ? []
      : [warning("mail", "ATELIER_MAIL_FROM is set, but no mail server", "set ATELIER_SMTP_URL too")];
  const { host, port } = settings.server;
  const found = await connectOnly({ ...settings, clock: systemClock, attemptMsMax: 10_000 });
  if (found === null) return [well("mail", `${host}:${port} answers; send a message with atelier mail test --to …`)];
  return [
    warning(
      "mail",
      `${host}:${port}: ${found}`,
      "check ATELIER_SMTP_URL; until then alerts wait, for three days at most",
    ),
  ];
}
