// A process that sends what is due until it is killed. Its clock can be set ahead, so that the leases of earlier ones have ended.
import { createBackground } from "../../foundation/background.ts";
import { systemClock } from "../../foundation/clock.ts";
import { openDatabase } from "../../foundation/database/index.ts";
import { silentLog } from "../../foundation/log.ts";
import { senderTo } from "./mail.fixture.ts";
import { createMail } from "./mail.ts";
import { silentMailMeter } from "./mail-metrics.ts";

const settings: { databaseUrl: string; port: number; aheadMs: number } = JSON.parse(process.argv[2] ?? "{}");
const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + settings.aheadMs) };
const mail = createMail({
  database: openDatabase({ connection: settings.databaseUrl, poolSize: 2 }),
  ...{
    clock,
    log: silentLog,
    send: senderTo(settings.port),
    domain: "studio.example",
    keepDays: 30,
    meter: silentMailMeter,
  },
});
void mail.run(createBackground({ clock, log: silentLog }), new AbortController().signal);
