// The editor's settings over HTTP.
import { Fault } from "../../../foundation/fault.ts";
import { type Incoming, type Route, route } from "../../../foundation/http/area.ts";
import { inlineJsonLimits, parseJson } from "../../../foundation/json/json-bytes.ts";
import { fresh, jsonText } from "../answers.ts";
import type { ApplicationCaller } from "../application-caller.ts";
import { requireNoForeignForm } from "../application-guards.ts";
import { applicationOperations, cloudOperations } from "../application-operations.ts";
import { readJsonBody } from "../prompt-bodies.ts";
import type { EditorSettings } from "./editor-settings.ts";

type SettingRoute = Route<ApplicationCaller>;

export function getApplicationSettingsRoute(settings: EditorSettings): SettingRoute {
  return route(applicationOperations.getApplicationSettings, async ({ caller }) => fresh(await settings.all(caller)));
}

export function settingRoutes(settings: EditorSettings): SettingRoute[] {
  return [getSettingRoute(settings), changeSettingsRoute(settings), changeSettingRoute(settings)];
}

// An unknown one is null, as in the application.
export function getSettingRoute(settings: EditorSettings): SettingRoute {
  return route(cloudOperations.getSetting, async ({ caller, params }) => {
    const all = await settings.all(caller);
    const id = params["id"] ?? "";
    return jsonText(JSON.stringify(Object.hasOwn(all, id) ? all[id] : null));
  });
}

export function changeSettingsRoute(settings: EditorSettings): SettingRoute {
  return route(cloudOperations.changeSettings, async (it) => {
    requireNoForeignForm(it.headers);
    await settings.change(it.caller, await readJsonBody(it));
    return { status: 200 };
  });
}

export function changeSettingRoute(settings: EditorSettings): SettingRoute {
  return route(cloudOperations.changeSetting, async (it) => {
    requireNoForeignForm(it.headers);
    const id = it.params["id"] ?? "";
    if (id === "" || id.length > 200) throw new Fault("invalid_request", "A setting's id has 1 to 200 characters.");
    await settings.change(it.caller, { [id]: await readAnyJson(it) });
    return { status: 200 };
  });
}

async function readAnyJson(it: Incoming<ApplicationCaller>): Promise<unknown> {
  return parseJson(await it.bytes(), inlineJsonLimits).value;
}
