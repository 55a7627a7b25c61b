  // A line of the source and what becomes of it, with the words that change.

  // Which words of two lines have no counterpart in the other: longest common subsequence; lines are short.
  function changed(a, b) {
    const best = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i--) {
      for (let j = b.length - 1; j >= 0; j--) {
        best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
      }
    }
    const [old, fresh] = [a.map(() => true), b.map(() => true)];
    for (let i = 0, j = 0; i < a.length && j < b.length;) {
      if (a[i] === b[j]) { old[i++] = false; fresh[j++] = false; }
      else if (best[i + 1][j] >= best[i][j + 1]) i++;
      else j++;
    }
    return [old, fresh];
  }
  const words = (text) => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) || [];

  // A line in pieces: words that changed are marked, the code points from..till are underlined.
  function line(className, sign, parts, isChanged, from, till) {
    const row = make("div", className);
    row.dataset.sign = sign;
    const text = make("span");
    let at = 0;
    parts.forEach((part, number) => {
      const points = Array.from(part);
      const [start, end] = [Math.max(from - at, 0), Math.min(till - at, points.length)];
      const holder = isChanged[number] ? make("mark") : text;
      if (start < end) {
        holder.append(points.slice(0, start).join(""), make("u", "", points.slice(start, end).join("")), points.slice(end).join(""));
      } else holder.append(part);
      if (holder !== text) text.append(holder);
      at += points.length;
    });
    row.append(text);
    return row;
  }

  function frame(finding) {
    const isPair = Array.isArray(finding.source);
    const text = isPair ? finding.source[0] : finding.source;
    if (!text) return null;
    const box = make("div", "frame");
    const old = words(text);
    const from = finding.column - 1;
    const till = finding.width ? from + finding.width : Infinity;
    if (!isPair) {
      box.append(line("same", " ", old, [], from, till));
      return box;
    }
    const [, start, end, middle] = finding.source;
    const fresh = words(text.slice(0, start) + middle + text.slice(text.length - end));
    const [gone, come] = changed(old, fresh);
    box.append(line("old", "−", old, gone, from, till), line("new", "+", fresh, come, 0, 0));
    return box;
  }
