// Selling credits through a payment provider. Off without a secret.
import { integerSetting, secretSetting, textSetting } from "./foundation/settings.ts";

export const paymentSettings = {
  paymentsSecret: secretSetting({
    env: "ATELIER_PAYMENTS_SECRET",
    default: null,
    lengthMin: 16,
    about: "The signing secret of the payment provider's events. Setting it turns selling credits on.",
  }),
  paymentsSecretFormer: secretSetting({
    env: "ATELIER_PAYMENTS_SECRET_FORMER",
    default: null,
    lengthMin: 16,
    about: "The secret that ATELIER_PAYMENTS_SECRET replaced; still accepted.",
  }),
  paymentsGraceDays: integerSetting({
    env: "ATELIER_PAYMENTS_GRACE_DAYS",
    default: 7,
    min: 0,
    max: 60,
    about: "How long a plan goes on after the end of its paid period while the next payment is missing.",
  }),
  invoiceSeller: textSetting({
    env: "ATELIER_INVOICE_SELLER",
    default: null,
    about: "Who sells, for invoices: name, address, tax number. Lines are separated by | characters.",
  }),
};
