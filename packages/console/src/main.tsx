import "./ui/theme.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./api/queries.ts";
import { router } from "./app/router.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("no #root");
const shown = createRoot(root);
// The document's frame stays until the whole page can replace it. The page renders in small steps, so that a click in the
// meantime does not have to wait.
await router.load().catch(() => undefined);
startTransition(() => {
  shown.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
});
if ("startViewTransition" in document)
  void import("./app/view-transition.ts").then(({ moveBetweenPages }) => moveBetweenPages(router));
