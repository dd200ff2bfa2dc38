// Operations of OpenAI-shaped clients. They belong to another protocol and not to our contract: they are listed here and in no
// document, and mounted only with the dialect. All of them require a key.
import type { Method, Operation } from "@atelier/contract";

function own<const Id extends string>(id: Id, method: Method, path: `/${string}`): Operation<Id> {
  return { id, method, path: `/openai/v1${path}`, tag: "OpenAI", summary: id, access: "key", answers: {} };
}

export const openaiOperations = {
  listOpenaiModels: own("listOpenaiModels", "GET", "/models"),
  getOpenaiModel: own("getOpenaiModel", "GET", "/models/{id}"),
  getOpenaiModelByName: own("getOpenaiModelByName", "GET", "/models/{provider}/{model}"),
  createOpenaiImage: own("createOpenaiImage", "POST", "/images/generations"),
  editOpenaiImage: own("editOpenaiImage", "POST", "/images/edits"),
  varyOpenaiImage: own("varyOpenaiImage", "POST", "/images/variations"),
  completeOpenaiChat: own("completeOpenaiChat", "POST", "/chat/completions"),
  createOpenaiSpeech: own("createOpenaiSpeech", "POST", "/audio/speech"),
} as const;
