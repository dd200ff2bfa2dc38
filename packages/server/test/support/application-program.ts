// An application as its own program, for start commands: `node … application-program.ts <port> <home>`.
import { startSandboxApplication } from "@atelier/sandbox";

const [port = "0", home = ""] = process.argv.slice(2);
const application = await startSandboxApplication({ port: Number(port), home });
process.stdout.write(`listening on ${application.url}\n`);
