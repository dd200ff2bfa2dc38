// Runs in the editor's page, beside the editor's own scripts. It opens what the console sent (a saved workflow, or the graph of a
// job), adds a way back to the console, keeps two tabs from overwriting each other, and says so when the session has ended. It
// holds no key: the browser's session is used.
const { app } = window.comfyAPI.app;
const { api } = window.comfyAPI.api;
const asked = new URLSearchParams(location.search);
const pauseMs = 100;
const patience = 600;

// The editor first restores what was open before.
async function started() {
  for (let turn = 0; turn < patience; turn += 1) {
    const manager = app.extensionManager;
    if (window.app && manager && !manager.spinner && manager.workflow.activeWorkflow) return manager;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return null;
}

async function openAsked() {
  const [workflow, job, picture] = ["workflow", "job", "picture"].map((name) => asked.get(name));
  if (workflow === null && job === null && picture === null) return;
  const manager = await started();
  if (manager === null) return;
  try {
    // People who use the editor for the first time are offered templates; these know what they want.
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    if (workflow !== null) await openSaved(manager, workflow);
    else if (job !== null) await openJob(job);
    else await openPicture(picture);
    history.replaceState(history.state, "", location.pathname);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    manager.toast.add({ severity: "error", summary: "It could not be opened", detail });
  }
}

async function openSaved(manager, name) {
  const path = `workflows/${name}.json`;
  await manager.workflow.syncWorkflows();
  const saved = manager.workflow.getWorkflowByPath(path);
  if (!saved) throw new Error(`There is no saved workflow "${name}" in this workspace.`);
  await saved.load();
  await app.loadGraphData(saved.activeState, true, true, saved);
}

async function openJob(id) {
  const answer = await api.fetchApi(`/jobs/${encodeURIComponent(id)}`);
  if (!answer.ok) throw new Error("There is no such job in this workspace.");
  const { workflow } = await answer.json();
  const drawn = workflow?.extra_data?.extra_pnginfo?.workflow;
  if (drawn) await app.loadGraphData(drawn, true, true, null);
  else await app.loadApiJson(workflow.prompt, `job ${id.slice(-6)}`);
}

// The editor reads the graph that a picture carries.
async function openPicture(path) {
  const [filename, subfolder] = [path.split("/").at(-1), path.split("/").slice(0, -1).join("/")];
  const answer = await api.fetchApi(`/view?${new URLSearchParams({ filename, subfolder, type: "input" })}`);
  if (!answer.ok) throw new Error(`There is no file "${path}" in this workspace.`);
  const bytes = await answer.blob();
  await app.handleFile(new File([bytes], filename, { type: bytes.type }));
}

// The saved workflow's page if it is saved, and the workspace's runs otherwise.
async function openConsole() {
  const open = app.extensionManager.workflow.activeWorkflow;
  const id = open?.isPersisted ? await savedId(open.path) : null;
  window.open(id === null ? "/console/jobs" : `/console/workflows/${id}`, "_blank", "noopener");
}

async function savedId(path) {
  const name = path.replace(/^workflows\/|\.json$/g, "");
  const [last, folder] = [name.split("/").at(-1), name.split("/").slice(0, -1).join("/")];
  const answer = await fetch(`/account/workflows?${new URLSearchParams({ q: last })}`);
  const { data = [] } = answer.ok ? await answer.json() : {};
  return data.find((each) => each.name === last && each.folder === folder)?.id ?? null;
}

// The editor writes without asking what is there. With the tag of what it read, a save by another tab or person in between is
// noticed, and nothing is overwritten.
// They stay with the tab when it is loaded again, as the editor's open graphs do.
const tagsKey = "Atelier.Tags";
const tags = new Map(Object.entries(JSON.parse(sessionStorage.getItem(tagsKey) ?? "{}")));
const keepTags = () => sessionStorage.setItem(tagsKey, JSON.stringify(Object.fromEntries(tags)));
const fetchPlain = api.fetchApi.bind(api);
api.fetchApi = async (route, options = {}) => {
  const [, path, rest = ""] = /^\/userdata\/(workflows%2F[^/?]*)([^?]*)/i.exec(route) ?? [];
  if (path === undefined || rest !== "") return fetchPlain(route, options);
  const { method = "GET", headers } = options;
  const isConditional = method === "POST" && tags.has(path);
  const answer = await fetchPlain(
    route,
    isConditional ? { ...options, headers: { ...headers, "If-Match": tags.get(path) } } : options,
  );
  const tag = answer.headers.get("etag");
  if (answer.ok && tag !== null) tags.set(path, tag);
  if (method === "DELETE") tags.delete(path);
  keepTags();
  if (isConditional && answer.status === 412) tellOverwriting();
  return answer;
};

function tellOverwriting() {
  app.extensionManager.toast.add({
    severity: "error",
    summary: "This workflow was saved elsewhere",
    detail: "Another tab or person saved it after you opened it. Save yours under another name, or open it again.",
  });
}

// A closed socket is tried again and again; only a session that has ended needs the person.
let isTold = false;
api.addEventListener("reconnecting", async () => {
  const answer = await api.fetchApi("/users").catch(() => null);
  if (answer?.status !== 401 || isTold) return;
  isTold = true;
  app.extensionManager.toast.add({
    severity: "error",
    summary: "You are signed out",
    detail: "Sign in to the console in another tab, then continue here. Your runs continue.",
  });
});
api.addEventListener("reconnected", () => {
  isTold = false;
});

app.registerExtension({
  name: "Atelier.ConsoleLink",
  commands: [
    { id: "Atelier.OpenConsole", label: "Open in console", icon: "pi pi-external-link", function: openConsole },
  ],
  menuCommands: [{ path: ["File"], commands: ["Atelier.OpenConsole"] }],
  settings: [
    {
      id: "Atelier.MaxCredits",
      category: ["Atelier", "Spending", "MaxCredits"],
      name: "Most credits for one run",
      tooltip: "A run that could cost more is refused before it starts. Leave it empty for no limit.",
      type: "text",
      defaultValue: "",
    },
  ],
  setup: () => void openAsked(),
});
