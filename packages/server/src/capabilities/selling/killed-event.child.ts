// A process that receives one event and is killed in the middle of applying it: after it was stored, and either before or after the
// wallet was changed.
import { systemClock } from "../../foundation/clock.ts";
import { openDatabase } from "../../foundation/database/index.ts";
import { silentLog } from "../../foundation/log.ts";
import { Secret } from "../../foundation/settings.ts";
import { createAudit } from "../audit/index.ts";
import { createSelling } from "./selling.ts";

export interface KilledEventSettings {
  readonly databaseUrl: string;
  readonly secret: string;
  readonly signature: string;
  readonly event: string;
  readonly dieAt: "before the wallet" | "after the wallet" | "after the answer";
}

const settings: KilledEventSettings = JSON.parse(process.argv[2] ?? "{}");
const database = openDatabase({ connection: settings.databaseUrl, poolSize: 4 });
const audit = createAudit({ database });
const die = () => process.kill(process.pid, "SIGKILL");
const selling = createSelling({
  ...{ database, clock: systemClock, log: silentLog, graceDays: 7 },
  secrets: [new Secret(settings.secret)],
  audit: {
    async append(tx, entry) {
      if (settings.dieAt === "after the wallet") die();
      await audit.append(tx, entry);
    },
  },
  async hasWorkspace() {
    if (settings.dieAt === "before the wallet") die();
    return true;
  },
});
await selling.receive("stripe", { signature: settings.signature, bytes: Buffer.from(settings.event) });
die();
