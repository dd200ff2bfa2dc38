// The document's own script, as text: the build puts the addresses of the first file and of the styles into it. It begins with
// the rest when the frame has been painted: a browser that has the files at hand would otherwise run them first. Nothing live
// is drawn before all of its styles are there.
(() => {
  const styled = (href) =>
    new Promise((resolve, reject) => {
      const link = document.createElement("link");
      Object.assign(link, { rel: "stylesheet", href, onload: resolve, onerror: reject });
      document.head.append(link);
    });
  let isBegun = false;
  const begin = () => {
    if (isBegun) return;
    isBegun = true;
    Promise.all("__SHEETS__".split(" ").map(styled))
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
