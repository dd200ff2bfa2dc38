// `atelier mail`: what was sent about the workspace, whether you get it, and a test message of the operator.
import type { CommandResult } from "@atelier/server/commands";
import { wrongCall } from "../read-call.ts";
import { type Asked, overHttp, readAnswer } from "./over-http.ts";

interface SentMail {
  readonly type: string;
  readonly to: string;
  readonly subject: string;
  readonly status: "waiting" | "sent" | "failed";
  readonly last_answer: string | null;
  readonly created_at: string;
}

interface AlertSettings {
  readonly sends_mail: boolean;
  readonly mail_wanted: boolean | null;
}

export const mailCommand = overHttp(
  {
    ls: list,
    show,
    on: (asked) => choose(asked, true),
    off: (asked) => choose(asked, false),
  },
  { test: sendTest },
);

async function sendTest({ call, atelier }: Asked): Promise<CommandResult> {
  const to = call.text("to");
  if (to === undefined) throw wrongCall("mail", ["Say where to send it: --to you@example.com"]);
  const data = await readAnswer<{ readonly status: string; readonly answer: string }>(
    atelier.request("/admin/mail/test", { method: "POST", json: { to } }),
  );
  const text = `${wordsOf[data.status] ?? data.status}: ${data.answer}`;
  return data.status === "accepted" ? { data, text } : { data, text, exitCode: 1, problem: text };
}

const wordsOf: Readonly<Record<string, string>> = {
  accepted: "The mail server accepted it",
  refused: "The mail server does not take this message",
  unavailable: "The mail server takes no mail",
};

async function list({ atelier }: Asked): Promise<CommandResult> {
  const { data } = await readAnswer<{ readonly data: readonly SentMail[] }>(atelier.request("/account/mails"));
  const rows = data.map((each) => [new Date(each.created_at), each.status, each.to, each.subject, each.last_answer]);
  return {
    data,
    text: { columns: ["written", "status", "to", "subject", "the server's answer"], rows, empty: "No mail yet." },
  };
}

async function show({ atelier }: Asked): Promise<CommandResult> {
  return present(await readAnswer<AlertSettings>(atelier.request("/account/alerts")));
}

async function choose({ atelier }: Asked, wanted: boolean): Promise<CommandResult> {
  const json = { wanted };
  return present(await readAnswer<AlertSettings>(atelier.request("/account/alerts/mail", { method: "PUT", json })));
}

function present(data: AlertSettings): CommandResult {
  const own =
    data.mail_wanted === null
      ? "This key acts for nobody."
      : `You ${data.mail_wanted ? "get" : "do not get"} alerts of this workspace by e-mail, as an owner or billing person with an address.`;
  return { data, text: data.sends_mail ? own : `This server sends no mail. ${own}` };
}
