// Commands that talk to a server over HTTP, here or elsewhere. They need nothing but this package.
import type { ListedCommand } from "@atelier/server/commands";

const connectionOptions = {
  "base-url": { type: "string", about: "The server's address (ATELIER_BASE_URL; http://127.0.0.1:8080)." },
  key: { type: "string", about: "The API key; better in ATELIER_API_KEY." },
} as const;

export const clientCommands: readonly ListedCommand[] = [
  {
    name: "run",
    about: "Run a workflow: upload its files, submit it, show how far it is, save what it makes.",
    usage: ["run <workflow.json> [-i node.input=value …] [-o folder]"],
    words: ["workflow"],
    examples: [
      "atelier run examples/first-picture.json -o out/",
      'atelier run workflow.json -i 6.text="a red fox" -i 10.image=@photo.png -o out/',
      "atelier run workflow.json --no-wait",
      "atelier run workflow.json --jsonl | jq .",
    ],
    options: {
      input: { type: "string", about: "-i: node.input=value, or node.input=@file to upload; may be repeated." },
      output: { type: "string", about: "-o: the folder for what it makes; the current one if absent." },
      "no-wait": { type: "boolean", about: "Submit only, and print the job's id." },
      jsonl: { type: "boolean", about: "One JSON object per event on standard output; the last is the result." },
      label: { type: "string", about: "Kept with the job as its metadata." },
      priority: { type: "string", about: "-100 to 100; larger first, among your own jobs." },
      "webhook-url": { type: "string", about: "Where the server tells every change of the job's state." },
      ...connectionOptions,
    },
    load: async () => (await import("./run-command.ts")).runCommand,
  },
];
