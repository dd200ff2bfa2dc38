// What the page of plans asks for.
import { operations } from "../../api/operations.ts";
import { readList, readQuery } from "../../api/read-query.ts";

export const plansKey = ["plans"];

export const overviewQuery = readQuery([...plansKey, "overview"], operations.getPlans);

export const invoicesQuery = (cursor: string | undefined) =>
  readQuery([...plansKey, "invoices", cursor ?? ""], operations.listInvoices, { query: { limit: 20, cursor } });

export const soldQuery = readList([...plansKey, "sold"], operations.listPlans);

export const paymentsQuery = (waiting: boolean, cursor: string | undefined) =>
  readQuery([...plansKey, "payments", waiting, cursor ?? ""], operations.listPayments, {
    query: { limit: 20, cursor, waiting: waiting ? true : undefined },
  });

export const eventsQuery = (cursor: string | undefined) =>
  readQuery([...plansKey, "events", cursor ?? ""], operations.listPaymentEvents, { query: { limit: 20, cursor } });
