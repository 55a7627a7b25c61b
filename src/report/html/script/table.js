  // A table with sortable columns and pages. `keys` say by what a column sorts; ties keep the order of the files. What `on` is given is
  // called with the sorting and the page that a person chose; without it the table keeps them to itself.
  function table(id, keys, row, first, length, on) {
    const element = document.getElementById(id);
    const body = element.tBodies[0];
    const nav = element.closest("section").querySelector(".pages");
    const own = { items: [], page: 0, sort: first };
    const choose = on || ((change) => {
      Object.assign(own, change);
      sort();
      draw();
    });

    function sort() {
      const down = own.sort.startsWith("-");
      const key = own.sort.replace("-", "");
      const by = keys[key] || (() => 0);
      const sign = down ? -1 : 1;
      own.items.sort((a, b) => {
        const [x, y] = [by(a), by(b)];
        return x < y ? -sign : x > y ? sign : a.order - b.order;
      });
      element.querySelectorAll("th[data-key]").forEach((head) => {
        if (head.dataset.key === key) head.setAttribute("aria-sort", down ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
    }
    function button(text, page, enabled) {
      const element = make("button", "", text);
      element.type = "button";
      element.disabled = !enabled;
      element.addEventListener("click", () => {
        choose({ page });
        // The button that was pressed is gone: its successor takes the focus, or the other one at the end.
        const again = Array.from(nav.querySelectorAll("button")).find((other) => other.textContent === text && !other.disabled);
        (again || nav.querySelector("button:not(:disabled)"))?.focus();
      });
      return element;
    }
    function nothing() {
      const cell = make("td", "empty", "Nothing matches.");
      cell.colSpan = 9;
      const line = make("tr");
      line.append(cell);
      return line;
    }
    function draw(size = length) {
      const last = Math.max(0, Math.ceil(own.items.length / size) - 1);
      own.page = Math.max(0, Math.min(own.page, last));
      const from = own.page * size;
      body.replaceChildren(...own.items.slice(from, from + size).map(row));
      if (!own.items.length) body.append(nothing());
      nav.replaceChildren();
      if (last === 0) return;
      nav.append(
        button("First", 0, own.page > 0), button("Previous", own.page - 1, own.page > 0),
        make("span", "", "page " + count(own.page + 1) + " of " + count(last + 1)),
        button("Next", own.page + 1, own.page < last), button("Last", last, own.page < last));
    }
    element.querySelectorAll("th[data-key] button").forEach((control) => {
      control.addEventListener("click", () => {
        const key = control.parentElement.dataset.key;
        const isNumber = own.items.length > 0 && typeof keys[key](own.items[0]) === "number";
        const down = own.sort.replace("-", "") === key ? !own.sort.startsWith("-") : isNumber;
        choose({ sort: (down ? "-" : "") + key, page: 0 });
      });
    });
    return {
      draw,
      show(items, change) { Object.assign(own, { items, page: 0 }, change); sort(); draw(); },
      // The page that an item is on, as it is sorted.
      pageOf: (item) => Math.floor(own.items.indexOf(item) / length),
      turn(page) { own.page = page; draw(); },
      print(most) { const page = own.page; own.page = 0; draw(most); own.page = page; },
      length: () => own.items.length,
    };
  }
