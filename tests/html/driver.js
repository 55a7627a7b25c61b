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
  const shown = () => document.getElementById("shown").textContent;
  const found = {};
  (async () => {
    const list = document.getElementById("list");
    found.shown = shown();
    found.drawn = rows("list").length;
    found.first = sorted("list") + ": " + column("list", 0)[0];
    press("Place", list);
    found.by_place = sorted("list") + ": " + column("list", 2)[0];
    press("Place", list);
    found.by_place_again = sorted("list") + ": " + column("list", 2)[0];
    press("Infos");
    await wait();
    found.without_infos = shown();
    type("by-text", "RESETPERSISTING");
    await wait();
    found.by_text = shown();
    type("by-file", "bytes");
    await wait();
    found.by_file = shown();
    found.frame = rows("list")[0].querySelector(".frame")?.textContent;
    found.underlined = rows("list")[0].querySelector(".frame u")?.textContent;
    press("Clear");
    await wait();
    found.cleared = shown();
    document.querySelector("#rules button").click();
    found.by_rule = new Set(column("list", 1)).size + " rule: " + shown();
    found.focus = document.activeElement.id;
    press("Clear");
    await wait();
    press("File", document.getElementById("files"));
    found.files = sorted("files") + ": " + column("files", 0)[0];
    found.next = Array.from(document.querySelectorAll(".pages")).map((nav) => nav.textContent).join("|");

    // What is shown stands in the address, and Back and Forward lead through it.
    const start = location.hash;
    const back = async (steps) => { history.go(steps); await wait(); };
    found.problems = rows("problems").length + ": " + column("problems", 2)[0] + " in " + column("problems", 3)[0];
    document.querySelector("#problems .name").click();
    found.by_problem = location.hash + ": " + shown();
    found.steps_lead_to = document.querySelector(".steps a[href^='#problem=']")?.getAttribute("href");
    press("Errors", document.querySelector(".filters"));
    found.then_by_severity = location.hash + ": " + shown();
    await back(-1);
    found.back = location.hash + ": " + shown();
    await back(1);
    found.forward = location.hash + ": " + document.querySelector(".toggle.error").getAttribute("aria-pressed");
    await back(-2);
    found.back_at_the_start = (location.hash === start) + ": " + shown();
    const steps = history.length;
    type("by-text", "b");
    await wait();
    type("by-text", "by");
    await wait();
    found.typing_is_no_step = (history.length - steps) + " in " + location.hash;
    press("Clear");
    await wait();
    const link = document.querySelector("#list .place a");
    found.row_link = link?.getAttribute("href");
    link?.click();
    found.row_shown = location.hash === link?.getAttribute("href") && document.querySelectorAll("#list tr.target").length;
    location.hash = "#show=w&text=nothing-like-this";
    await wait();
    found.nothing = shown();
    location.hash = link?.getAttribute("href") || "";
    await wait();
    found.a_link_beats_filters = document.querySelectorAll("#list tr.target").length + ": " + shown();
    press("Clear");
    await wait();
    const folders = column("folders", 0);
    found.folders = folders.join(" ") + ", " + column("folders", 3).join(" ") + " errors";
    const folder = document.querySelector("#folders button.name");
    folder?.click();
    found.in_folder = location.hash + ": " + shown() + " " + document.getElementById("where").textContent;
    found.in_folder_files = rows("files").length;
    await back(-1);
    found.out_of_folder = rows("files").length + ": " + shown();
    found.rule_page = document.querySelector("#list td:nth-child(2) a")?.href;

    found.injected = document.querySelectorAll("main script, main img, main b b, td iframe").length + (window.injected ? " ran" : " did not run");
    found.nameless = Array.from(document.querySelectorAll("button, input, select, a"))
      .filter((element) => !element.textContent.trim() && !element.labels?.length).length;
    // What the mouse can press the keyboard must reach: a native control, or part of one.
    found.out_of_reach = Array.from(document.querySelectorAll("main *"))
      .filter((element) => getComputedStyle(element).cursor === "pointer")
      .filter((element) => !element.closest("button, select, input, a[href], label, summary") || element.closest("[tabindex='-1']")).length;
    const presses = Array.from(document.querySelectorAll("main button:not(:disabled)")).filter((button) => button.offsetParent);
    found.focusable = presses.every((button) => { button.focus(); return document.activeElement === button; }) + " for " + (presses.length > 10);
    dispatchEvent(new Event("beforeprint"));
    found.printed = rows("list").length;
    dispatchEvent(new Event("afterprint"));
    found.after_print = rows("list").length;
  })().catch((error) => { found.failed = error.stack; }).then(() => {
    const result = document.createElement("pre");
    result.id = "result";
    result.textContent = Object.entries(found).map(([key, value]) => key + " = " + value).join("\n") + "\n";
    document.body.append(result);
  });
})();
