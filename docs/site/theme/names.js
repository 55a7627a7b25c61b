// Two fields for names: one over each table of a library, which hides the rows that do not hold what was typed, and one on the page
// of all names, which looks it up in every library. Without scripts the tables stand as they are.
"use strict";
(() => {
  const main = document.querySelector("main");
  const isLibrary = main?.querySelector("[data-library]");
  const all = main?.querySelector("[data-all-names]");

  function field(label, before, act) {
    const input = document.createElement("input");
    Object.assign(input, { type: "search", className: "look-up", placeholder: label });
    input.setAttribute("aria-label", label);
    input.addEventListener("input", () => act(input.value.trim().toLowerCase()));
    // Letters typed here are no shortcuts of the book.
    input.addEventListener("keydown", (event) => event.stopPropagation());
    before.before(input);
    return input;
  }

  if (isLibrary) {
    const rows = [...main.querySelectorAll("tbody tr")];
    const texts = rows.map((row) => row.textContent.toLowerCase());
    field(`Filter ${rows.length} rows`, isLibrary, (typed) => {
      rows.forEach((row, at) => { row.hidden = !texts[at].includes(typed); });
    });
    // The address names a name: its row is marked.
    const named = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (named) {
      named.closest("tr")?.scrollIntoView({ block: "center" });
      named.closest("tr")?.style.setProperty("background", "var(--search-mark-bg)");
    }
  }

  if (all) {
    const MOST = 100;
    let names;
    const load = () => new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = all.dataset.allNames;
      script.onload = () => resolve(window.cassNames);
      script.onerror = reject;
      document.head.append(script);
    });
    const cell = (row, content, href) => {
      const code = document.createElement("code");
      code.textContent = content;
      const link = document.createElement("a");
      if (href) link.href = href;
      link.append(code);
      row.insertCell().append(href ? link : content ? code : "—");
    };
    const show = (typed) => {
      const found = [];
      for (const [library, rows] of Object.entries(names)) {
        for (const [cuda, hip] of rows) {
          const at = Math.min(...[cuda, hip].map((name) => name.toLowerCase().indexOf(typed)).filter((at) => at >= 0));
          if (Number.isFinite(at)) found.push([at, cuda.length, cuda, hip, library]);
        }
      }
      found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      all.replaceChildren();
      const count = document.createElement("p");
      count.textContent = found.length > MOST ? `${found.length} names, the ${MOST} nearest:` : `${found.length} found`;
      const table = document.createElement("table");
      for (const [, , cuda, hip, library] of found.slice(0, MOST)) {
        const row = table.insertRow();
        cell(row, cuda, `${library}.html#${encodeURIComponent(cuda)}`);
        cell(row, hip);
        row.insertCell().textContent = library;
      }
      all.append(count, table);
    };
    const input = field("A name of CUDA or HIP: cudaMemcpyAsync", all, async (typed) => {
      try {
        names ??= await load();
      } catch {
        all.textContent = "The list of names cannot be loaded.";
        return;
      }
      if (input.value.trim().toLowerCase() !== typed) return;
      if (typed) show(typed);
      else all.replaceChildren();
    });
    input.focus({ preventScroll: true });
  }
})();
