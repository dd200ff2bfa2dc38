// How alerts reach people by e-mail.
import { AlertSettings, SentMailList, SetAlertMail, SetOddSpending } from "../../account/alerts.ts";
import { headerName } from "../../headers.ts";
import { operationTable } from "../../operation.ts";
import { answer, jsonBody, ofAccount } from "../answers.ts";

export const alertOperations = operationTable(ofAccount, {
  getAlertSettings: {
    method: "GET",
    path: "/account/alerts",
    summary: "Get how alerts reach people",
    answers: { 200: answer(AlertSettings, "The settings.", [headerName.cacheControl]) },
  },
  setAlertMail: {
    method: "PUT",
    path: "/account/alerts/mail",
    role: "viewer",
    summary: "Get alerts by e-mail, or not",
    description:
      "For the caller's own address in this workspace. A key acts for the person who made it, if it has all of their role.",
    body: jsonBody(SetAlertMail),
    answers: { 200: answer(AlertSettings, "The new settings.", [headerName.cacheControl]) },
  },
  setOddSpending: {
    method: "PUT",
    path: "/account/alerts/odd-spending",
    role: "billing",
    summary: "Watch for odd spending, or not",
    description:
      "Reports a full hour in which the workspace spent more than in the same hour of any of the past four to eight weeks, at least three times their average, and at least the given amount. On by default.",
    body: jsonBody(SetOddSpending),
    answers: { 200: answer(AlertSettings, "The new settings.", [headerName.cacheControl]) },
  },
  listMails: {
    method: "GET",
    path: "/account/mails",
    role: "billing",
    summary: "List e-mails about the workspace",
    description: "Only for owners and billing people: it shows addresses. Kept as long as the webhook log.",
    answers: { 200: answer(SentMailList, "The newest 100.", [headerName.cacheControl]) },
  },
});
