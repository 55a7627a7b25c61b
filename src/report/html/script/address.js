  // What is shown stands behind the `#` of the address: a link leads to it, and Back leads to what was shown before.
  const START = { show: "ewi", rule: "", problem: "", in: "", file: "", text: "", sort: "-severity", page: "1", at: "" };
  let state = { ...START };

  const hash = () => location.hash.slice(1);

  // Other fragments, as that of the link to the findings, say nothing about what is shown.
  function read() {
    if (hash() && !hash().includes("=")) return false;
    const given = new URLSearchParams(hash());
    state = { ...START };
    Object.keys(START).forEach((key) => { if (given.has(key)) state[key] = given.get(key); });
    return true;
  }

  function address(of) {
    const given = new URLSearchParams();
    Object.keys(START).forEach((key) => { if (of[key] !== START[key]) given.set(key, of[key]); });
    return "#" + given.toString().replaceAll("%2F", "/").replaceAll("%3A", ":");
  }

  // Changes what is shown. What a person chooses is a step that Back undoes; what is being typed is not.
  function go(change, typed) {
    state = { ...state, page: "1", at: "", ...change };
    try {
      history[typed ? "replaceState" : "pushState"](null, "", address(state));
    } catch {
      // Some viewers allow no history: then the page works without one.
    }
    apply();
  }
