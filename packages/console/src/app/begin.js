// The document's own script, as text: the build puts the address of the first file into it. It says on which page one is,
// and begins with the rest when the frame has been painted: a browser that has the files at hand would otherwise run them
// first.
(() => {
  const { pathname } = location;
  const { dataset } = document.documentElement;
  if (pathname.startsWith("/sign-in")) dataset.frame = "bare";
  if (pathname === "/") dataset.page = "tiles";
  for (const link of document.querySelectorAll("#root li a")) {
    const to = link.getAttribute("href");
    const isHere = pathname === to;
    if (!isHere && (to === "/" || !pathname.startsWith(`${to}/`))) continue;
    link.setAttribute("aria-current", "page");
    if (isHere) document.querySelector('[data-first="title"]').textContent = link.textContent;
  }
  let isBegun = false;
  const begin = () => {
    if (isBegun) return;
    isBegun = true;
    import("__ENTRY__").catch(() => {
      const note = document.createElement("p");
      note.setAttribute("role", "alert");
      note.textContent = "The console could not be loaded. Load the page again.";
      document.body.prepend(note);
    });
  };
  if (document.hidden) return begin();
  requestAnimationFrame(() => setTimeout(begin));
  setTimeout(begin, 500);
})();
