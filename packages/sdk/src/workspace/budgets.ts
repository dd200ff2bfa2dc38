// Budgets of the workspace: what it, a key, a tag or an end user may spend in a day, a week or a month.
import type { Budget, PutBudget } from "../generated/wire.ts";
import { readJson } from "../pages.ts";
import type { CallOptions, Transport } from "../transport.ts";

const path = "/account/budgets";
const at = (name: string) => `${path}/${encodeURIComponent(name)}`;

/** Budgets of your workspace: `atelier.budgets`. */
export class Budgets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All of them, by name, with what counts against them now. */
  async list(options: CallOptions = {}): Promise<readonly Budget[]> {
    return (await readJson<{ readonly data: readonly Budget[] }>(this.#transport, path, options)).data;
  }

  /** One of them, with its last alerts. */
  get(name: string, options: CallOptions = {}): Promise<Budget> {
    return readJson(this.#transport, at(name), options);
  }

  /**
   * Sets the budget of this name. Alerts at 50, 80 and 100 % go to its `webhook_url`, signed.
   * @example
   * await atelier.budgets.put("spring", { scope: "tag", subject: "project=spring", period: "month", amount: "500" });
   */
  put(name: string, budget: PutBudget, options: CallOptions = {}): Promise<Budget> {
    return readJson(this.#transport, at(name), { ...options, method: "PUT", json: budget });
  }

  async delete(name: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.send(at(name), { ...options, method: "DELETE" });
  }
}
