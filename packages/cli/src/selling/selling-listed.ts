// The help of the commands about plans, invoices and payments.
import type { ListedCommand } from "@atelier/server/commands";
import { adminOptions, connectionOptions, yesOption } from "../connection-options.ts";
import { flag, text } from "../options.ts";

const id = "0198c1a2-3b4c-7d5e-8f60-718293a4b5c6";

export const sellingListed: readonly ListedCommand[] = [
  {
    name: "plans",
    about: "Show the workspace's plan and what it can buy; list, create, change and retire plans (operators only).",
    usage: [
      "plans show",
      "plans ls",
      'plans create <name> --credits 2000 --price "19.00 EUR" --price-id price_… [--checkout-url …] [--once] [--no-roll-over]',
      "plans change <id> [--name …] [--credits …] [--price …] [--checkout-url …|none] [--roll-over|--no-roll-over]",
      "plans retire <id> [--undo]",
    ],
    words: { show: [], ls: [], create: ["name"], change: ["id"], retire: ["id"] },
    examples: [
      "atelier plans show",
      'atelier plans create Studio --credits 2000 --price "19.00 EUR" --price-id price_studio --no-roll-over',
      `atelier plans change ${id} --credits 2500`,
      `atelier plans retire ${id} --yes`,
    ],
    options: {
      credits: text("create, change: credits for each paid period, or for the payment."),
      price: text("create, change: what buyers see; the provider decides what is charged."),
      "price-id": text("create: the payment provider's id of the price."),
      name: text("change: another name."),
      "checkout-url": text("create, change: the provider's page where it is bought."),
      once: flag("create: credits for one payment, not for each period."),
      "no-roll-over": flag("create, change: what a period leaves over ends with it."),
      "roll-over": flag("change: what a period leaves over stays."),
      undo: flag("retire: offer it again."),
      ...yesOption,
      ...connectionOptions,
      ...adminOptions,
    },
    load: async () => (await import("./plans-command.ts")).plansCommand,
  },
  {
    name: "invoices",
    about: "List the workspace's invoices and download them as PDF.",
    usage: ["invoices ls [--limit 50]", "invoices get <id> [-o file.pdf]"],
    words: { ls: [], get: ["id"] },
    examples: ["atelier invoices ls", `atelier invoices get ${id} -o november.pdf`],
    options: {
      limit: text("ls: list at most this many (default: 50)."),
      output: text("get: write the PDF here (default: invoice-<number>.pdf).", "o"),
      ...connectionOptions,
    },
    load: async () => (await import("./invoices-command.ts")).invoicesCommand,
  },
  {
    name: "payments",
    about: "List payments and the payment provider's events, and assign payments to workspaces (operators only).",
    usage: [
      "payments ls [--waiting] [--limit 50]",
      "payments events [--state stored|applied|ignored] [--limit 50]",
      "payments assign <id> <workspace>",
    ],
    words: { ls: [], events: [], assign: ["id", "workspace"] },
    examples: [
      "atelier payments ls --waiting",
      "atelier payments events --state stored",
      `atelier payments assign ${id} ${id}`,
    ],
    options: {
      waiting: flag("ls: only payments that brought no credits yet."),
      state: text("events: stored, applied or ignored."),
      limit: text("ls, events: list at most this many (default: 50)."),
      home: connectionOptions.home,
      ...adminOptions,
    },
    load: async () => (await import("./payments-command.ts")).paymentsCommand,
  },
];
