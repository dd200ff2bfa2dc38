// What the page of plans asks for.
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";

export const plansKey = ["plans"];

export const overviewQuery = queryOptions({
  queryKey: [...plansKey, "overview"],
  queryFn: ({ signal }) => call(operations.getPlans, { signal }),
});

export const invoicesQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...plansKey, "invoices", cursor ?? ""],
    queryFn: ({ signal }) => call(operations.listInvoices, { query: { limit: 20, cursor }, signal }),
  });

export const soldQuery = queryOptions({
  queryKey: [...plansKey, "sold"],
  queryFn: async ({ signal }) => (await call(operations.listPlans, { signal })).data,
});

export const paymentsQuery = (waiting: boolean, cursor: string | undefined) =>
  queryOptions({
    queryKey: [...plansKey, "payments", waiting, cursor ?? ""],
    queryFn: ({ signal }) =>
      call(operations.listPayments, { query: { limit: 20, cursor, waiting: waiting ? true : undefined }, signal }),
  });

export const eventsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...plansKey, "events", cursor ?? ""],
    queryFn: ({ signal }) => call(operations.listPaymentEvents, { query: { limit: 20, cursor }, signal }),
  });
