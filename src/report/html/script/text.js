  // Elements and words. Text reaches the page through textContent only: a source line is never read as HTML.
  const count = (number) => number.toLocaleString("en-US");

  function make(name, className, text) {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  // What stands between backticks is code.
  function prose(element, text) {
    const pieces = text.split("`");
    if (pieces.length % 2 === 0) { element.append(text); return element; }
    pieces.forEach((piece, at) => element.append(at % 2 ? make("code", "", piece) : piece));
    return element;
  }

  // A path may be broken behind its slashes.
  function path(element, text) {
    text.split("/").forEach((part, at, parts) => {
      element.append(at < parts.length - 1 ? part + "/" : part);
      if (at < parts.length - 1) element.append(make("wbr"));
    });
    return element;
  }

  function rowHead(content) {
    const head = make("th");
    head.scope = "row";
    head.append(content);
    return head;
  }

  // Bars are parts of the longest one.
  function bar(parts, most) {
    const cell = make("td", "bar");
    const line = make("span");
    line.setAttribute("aria-hidden", "true");
    parts.forEach(([className, value]) => {
      if (!value) return;
      const part = make("i", className);
      part.style.width = (value * 100 / most).toFixed(2) + "%";
      line.append(part);
    });
    cell.append(line);
    return cell;
  }
