// A process that uses the embedded database, for tests that kill it. It says when it is ready, answers "write" with the
// number of rows it has written in all, and exits on "stop".
import { openDatabase, sql, startEmbeddedPostgres } from "../../src/foundation/database/index.ts";

const dataDir = process.argv[2] ?? "";
const server = await startEmbeddedPostgres({ dataDir });
const database = openDatabase({ connection: server.connection });
await database
  .execute(sql`create table if not exists written (id bigint generated always as identity)`)
  .catch(() => {});

process.on("message", async (message) => {
  if (message === "write") {
    const outcome = await database.query(sql`insert into written default values returning id`).then(
      ([row]) => ({ written: row }),
      (error: Error) => ({ failed: error.message }),
    );
    process.send?.(outcome);
  }
  if (message === "stop") {
    await database.close();
    await server.stop();
    process.disconnect?.();
  }
});
process.send?.({ ready: true, attached: server.attached, connection: server.connection });
