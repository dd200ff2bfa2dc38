// The document's own script, as text: the build puts the addresses of the first files and of the styles into it. It begins with
// the rest when the frame has been painted: a browser that has the files at hand would otherwise run them first. Nothing live
// is drawn before all of its styles are there. The small files are asked for only now: before the first paint each would cost
// it a millisecond or two, and the large one takes longer than they do.
(() => {
  const linked = (rel, href) =>
    new Promise((onload, onerror) => {
      document.head.append(Object.assign(document.createElement("link"), { rel, href, onload, onerror }));
    });
  let isBegun = false;
  const begin = () => {
    if (isBegun) return;
    isBegun = true;
    for (const href of "__SMALL__".split(" ")) linked("modulepreload", href).catch(() => undefined);
    Promise.all("__SHEETS__".split(" ").map((href) => linked("stylesheet", href)))
      .then(() => import("__ENTRY__"))
      .catch(() => {
        const note = document.createElement("p");
        note.setAttribute("role", "alert");
        note.textContent = "__NOT_LOADED__";
        document.body.prepend(note);
      });
  };
  if (document.hidden) return begin();
  requestAnimationFrame(() => setTimeout(begin));
  setTimeout(begin, 500);
})();
