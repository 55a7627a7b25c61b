// Uses the page as a person does, and writes what came of it into an element that the test reads.
(() => {
  const rows = (id) => Array.from(document.querySelectorAll("#" + id + " tbody tr"));
  const column = (id, at) => rows(id).map((row) => row.cells[at].textContent);
  const press = (text, within = document) =>
    Array.from(within.querySelectorAll("button")).find((button) => button.textContent.startsWith(text)).click();
  const type = (id, text) => {
    const input = document.getElementById(id);
    input.value = text;
    input.dispatchEvent(new Event("input"));
  };
  const sorted = (id) => Array.from(document.querySelectorAll("#" + id + " th[aria-sort]"))
    .map((head) => head.dataset.key + " " + head.getAttribute("aria-sort")).join();
  const wait = () => new Promise((done) => setTimeout(done, 200));
  const found = {};
  (async () => {
    const list = document.getElementById("list");
    found.shown = document.getElementById("shown").textContent;
    found.drawn = rows("list").length;
    found.first = sorted("list") + ": " + column("list", 0)[0];
    press("Place", list);
    found.by_place = sorted("list") + ": " + column("list", 2)[0];
    press("Place", list);
    found.by_place_again = sorted("list") + ": " + column("list", 2)[0];
    press("Infos");
    await wait();
    found.without_infos = document.getElementById("shown").textContent;
    type("by-text", "RESETPERSISTING");
    await wait();
    found.by_text = document.getElementById("shown").textContent;
    type("by-file", "bytes");
    await wait();
    found.by_file = document.getElementById("shown").textContent;
    found.frame = rows("list")[0].querySelector(".frame")?.textContent;
    found.underlined = rows("list")[0].querySelector(".frame u")?.textContent;
    press("Clear");
    await wait();
    found.cleared = document.getElementById("shown").textContent;
    document.querySelector("#rules button").click();
    found.by_rule = new Set(column("list", 1)).size + " rule: " + document.getElementById("shown").textContent;
    found.focus = document.activeElement.id;
    press("Clear");
    await wait();
    press("File", document.getElementById("files"));
    found.files = sorted("files") + ": " + column("files", 0)[0];
    found.next = Array.from(document.querySelectorAll(".pages")).map((nav) => nav.textContent).join("|");
    found.injected = document.querySelectorAll("main script, main img, main b b, td iframe").length + (window.injected ? " ran" : " did not run");
    found.nameless = Array.from(document.querySelectorAll("button, input, select"))
      .filter((element) => !element.textContent.trim() && !element.labels?.length).length;
    // What the mouse can press the keyboard must reach: a native control, or part of one.
    found.out_of_reach = Array.from(document.querySelectorAll("main *"))
      .filter((element) => getComputedStyle(element).cursor === "pointer")
      .filter((element) => !element.closest("button, select, input, a[href], label") || element.closest("[tabindex='-1']")).length;
    const presses = Array.from(document.querySelectorAll("main button:not(:disabled)")).filter((button) => button.offsetParent);
    found.focusable = presses.every((button) => { button.focus(); return document.activeElement === button; }) + " for " + (presses.length > 10);
    dispatchEvent(new Event("beforeprint"));
    found.printed = rows("list").length;
    dispatchEvent(new Event("afterprint"));
    found.after_print = rows("list").length;
    const result = document.createElement("pre");
    result.id = "result";
    result.textContent = Object.entries(found).map(([key, value]) => key + " = " + value).join("\n") + "\n";
    document.body.append(result);
  })();
})();
