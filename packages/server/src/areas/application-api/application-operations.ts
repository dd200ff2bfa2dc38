// The application's own operations, as its clients call them. They belong to another protocol and not to our contract: they are
// listed here and in no document, and mounted only with the dialect. All of them require a key.
import type { Method, Operation } from "@atelier/contract";

function own<const Id extends string>(id: Id, method: Method, path: `/${string}`): Operation<Id> {
  return { id, method, path, tag: "Application", summary: id, access: "key", answers: {} };
}

export const applicationOperations = {
  submitPrompt: own("submitPrompt", "POST", "/prompt"),
  getPromptInfo: own("getPromptInfo", "GET", "/prompt"),
  getPromptQueue: own("getPromptQueue", "GET", "/queue"),
  changePromptQueue: own("changePromptQueue", "POST", "/queue"),
  interruptPrompt: own("interruptPrompt", "POST", "/interrupt"),
  listHistory: own("listHistory", "GET", "/history"),
  changeHistory: own("changeHistory", "POST", "/history"),
  getHistory: own("getHistory", "GET", "/history/{prompt_id}"),
  viewFile: own("viewFile", "GET", "/view"),
  uploadImage: own("uploadImage", "POST", "/upload/image"),
  uploadMask: own("uploadMask", "POST", "/upload/mask"),
  getObjectInfo: own("getObjectInfo", "GET", "/object_info"),
  getClassInfo: own("getClassInfo", "GET", "/object_info/{class}"),
  getSystemStats: own("getSystemStats", "GET", "/system_stats"),
  getFeatures: own("getFeatures", "GET", "/features"),
  listEmbeddings: own("listEmbeddings", "GET", "/embeddings"),
  listExtensions: own("listExtensions", "GET", "/extensions"),
  listModelFolders: own("listModelFolders", "GET", "/models"),
  listModelFiles: own("listModelFiles", "GET", "/models/{folder}"),
  getApplicationSettings: own("getApplicationSettings", "GET", "/settings"),
  freeMemory: own("freeMemory", "POST", "/free"),
  getLogs: own("getLogs", "GET", "/internal/logs"),
  getRawLogs: own("getRawLogs", "GET", "/internal/logs/raw"),
  subscribeToLogs: own("subscribeToLogs", "PATCH", "/internal/logs/subscribe"),
  listFolderPaths: own("listFolderPaths", "GET", "/internal/folder_paths"),
  listTemplates: own("listTemplates", "GET", "/workflow_templates"),
  listTranslations: own("listTranslations", "GET", "/i18n"),
  listSubgraphs: own("listSubgraphs", "GET", "/global_subgraphs"),
  openPromptSocket: own("openPromptSocket", "GET", "/ws"),
} as const;

// What an application has at its root: its editor. Mounted only if nothing else is served there.
export const rootOperations = { getEditorPage: own("getEditorPage", "GET", "/") } as const;

// Operations of the public cloud, which tools know only below /api. Without the prefix, /users and /jobs belong to others.
export const cloudOperations = {
  listHistoryOfCloud: own("listHistoryOfCloud", "GET", "/history_v2"),
  getHistoryOfCloud: own("getHistoryOfCloud", "GET", "/history_v2/{prompt_id}"),
  listPromptJobs: own("listPromptJobs", "GET", "/jobs"),
  getPromptJob: own("getPromptJob", "GET", "/jobs/{id}"),
  getPromptJobStatus: own("getPromptJobStatus", "GET", "/job/{id}/status"),
  getApplicationUser: own("getApplicationUser", "GET", "/user"),
  listApplicationUsers: own("listApplicationUsers", "GET", "/users"),
  listUserFiles: own("listUserFiles", "GET", "/userdata"),
  listUserFolders: own("listUserFolders", "GET", "/v2/userdata"),
  readUserFile: own("readUserFile", "GET", "/userdata/{file}"),
  writeUserFile: own("writeUserFile", "POST", "/userdata/{file}"),
  deleteUserFile: own("deleteUserFile", "DELETE", "/userdata/{file}"),
  moveUserFile: own("moveUserFile", "POST", "/userdata/{file}/move/{dest}"),
  getSetting: own("getSetting", "GET", "/settings/{id}"),
  changeSettings: own("changeSettings", "POST", "/settings"),
  changeSetting: own("changeSetting", "POST", "/settings/{id}"),
  listModelFolderInfos: own("listModelFolderInfos", "GET", "/experiment/models"),
  listModelFileInfos: own("listModelFileInfos", "GET", "/experiment/models/{folder}"),
  getModelMetadata: own("getModelMetadata", "GET", "/view_metadata/{folder}"),
} as const;

// What only the editor asks for, beside and below its /api. Elsewhere these paths belong to other areas.
export const editorOperations = {
  getTemplateFile: own("getTemplateFile", "GET", "/templates/{file}"),
  listInputFiles: own("listInputFiles", "GET", "/internal/files/{type}"),
  cancelPromptJobs: own("cancelPromptJobs", "POST", "/jobs/cancel"),
  cancelPromptJob: own("cancelPromptJob", "POST", "/jobs/{id}/cancel"),
} as const;
