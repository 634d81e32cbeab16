"use strict";
// Tables sort by a click (or Enter) on a head; numbers by the first number of a cell.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    head.tabIndex = 0;
    const sort = () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => {
        const text = row.cells[column].textContent.replaceAll(",", "").replace("−", "-");
        const found = text.match(/[+-]?\d+(\.\d+)?(e[+-]?\d+)?/);
        return found && column > 0 ? Number(found[0]) : text;
      };
      const rows = [...table.tBodies[0].rows];
      rows.sort((one, other) => {
        const a = value(one), b = value(other);
        const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
        return down ? -order : order;
      });
      table.tBodies[0].append(...rows);
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
  });
}

// The hand picker: all starting hands, numbered byte by byte of the 32-bit word of tiles.
const picker = document.getElementById("picker");
if (picker) {
  const facts = JSON.parse(document.getElementById("facts").textContent);
  const buttons = [...document.querySelectorAll("#tiles button")];
  const typed = document.getElementById("typed"), told = document.getElementById("told");
  const worth = document.getElementById("worth"), rankLine = document.getElementById("rank");
  const HANDS = 330525, SETS = 10518300;
  const put = (text, places) => text.replace(/\{(\w+)\}/g, (_, name) => places[name]);
  const grouped = (number) => number.toLocaleString("en");
  let data = null;

  const count = (bits) => { let n = 0; for (let b = bits >>> 0; b; b &= b - 1) n += 1; return n; };

  async function load() {
    const text = document.getElementById("hands").textContent.trim();
    const packed = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const points = new Int16Array(4 * HANDS), wins = new Int16Array(4 * HANDS);
    for (let i = 0; i < 4 * HANDS; i += 1) {
      points[i] = bytes[i] | (bytes[4 * HANDS + i] << 8);
      wins[i] = bytes[8 * HANDS + i] | (bytes[12 * HANDS + i] << 8);
    }
    const errors = bytes.subarray(16 * HANDS, 17 * HANDS);
    const said = JSON.parse(new TextDecoder().decode(bytes.subarray(17 * HANDS)));
    const sums = new Int32Array(HANDS);
    for (let seat = 0; seat < 4; seat += 1)
      for (let i = 0; i < HANDS; i += 1) sums[i] += points[seat * HANDS + i];
    data = { points, wins, errors, said, sums, offsets: offsets() };
    return data;
  }

  // At (byte, tiles in higher bytes, content): how many hands stand before.
  function offsets() {
    const contents = [0, 1, 2, 3].map((byte) => {
      const seconds = (facts.second >>> (8 * byte)) & 255;
      return [...Array(256).keys()].filter((held) => (held & seconds & ~(held << 1)) === 0);
    });
    const ways = [[...Array(9).keys()].map((used) => Number(used === 8))];
    for (let byte = 0; byte < 4; byte += 1)
      ways.push([...Array(9).keys()].map((used) =>
        contents[byte].reduce((n, held) => n + (used + count(held) <= 8 ? ways[byte][used + count(held)] : 0), 0)));
    return contents.map((list, byte) => [...Array(9).keys()].map((used) => {
      const before = new Int32Array(256);
      let n = 0;
      for (const held of list) {
        before[held] = n;
        if (used + count(held) <= 8) n += ways[byte][used + count(held)];
      }
      return before;
    }));
  }

  function numberOf(hand) {
    const moved = hand & facts.second & ~(hand << 1);
    const plain = ((hand ^ moved) | (moved >>> 1)) >>> 0;
    let number = 0, used = 0;
    for (let byte = 3; byte >= 0; byte -= 1) {
      const held = (plain >>> (8 * byte)) & 255;
      number += data.offsets[byte][used][held];
      used += count(held);
    }
    return number;
  }

  const picked = () => buttons.filter((b) => b.getAttribute("aria-pressed") === "true");

  async function show() {
    const chosen = picked();
    worth.hidden = chosen.length !== 8;
    if (chosen.length !== 8) {
      const left = 8 - chosen.length;
      told.textContent = left === 1 ? facts.texts["one more"]
        : put(facts.texts[left > 0 ? "more" : "too many"], { n: Math.abs(left) });
      return;
    }
    if (!data) { told.textContent = facts.texts.reading; await load(); }
    let hand = 0;
    for (const button of chosen) hand |= 1 << Number(button.dataset.bit);
    hand >>>= 0;
    const number = numberOf(hand);
    let sets = 1; // ways to hold this hand: of each class with two tiles, one held can be either
    for (const pair of facts.pairs) if (count(hand & pair) === 1) sets *= 2;
    const [reach, seatReach] = data.said.reach[data.errors[number]];
    const within = (points, half) =>
      `${points < 0 ? "" : "+"}${points.toFixed((half.split(".")[1] || "").length)} ± ${half}`;
    const body = worth.querySelector("tbody");
    body.textContent = "";
    facts.seats.forEach((seat, s) => {
      const row = body.insertRow();
      const points = data.points[s * HANDS + number] * facts.pointStep;
      row.append(Object.assign(document.createElement("th"), { textContent: seat }));
      row.insertCell().textContent = data.said.wins[sets][data.wins[s * HANDS + number]];
      row.insertCell().textContent = within(points, seatReach);
    });
    const mine = data.sums[number];
    let rank = 1;
    for (let i = 0; i < HANDS; i += 1) if (data.sums[i] > mine || (data.sums[i] === mine && i < number)) rank += 1;
    told.textContent = chosen.map((b) => facts.codes[b.dataset.bit]).join("");
    rankLine.textContent = put(facts.texts.rank, {
      rank: grouped(rank), hands: grouped(HANDS), rare: grouped(Math.round(SETS / sets)), sets, all: grouped(SETS),
      points: within(mine * facts.pointStep / 4, reach), deals: data.said.deals[sets], ...facts.made,
    });
  }

  for (const button of buttons)
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") === "true";
      button.setAttribute("aria-pressed", String(!on));
      typed.value = "";
      show();
    });
  document.getElementById("clear").addEventListener("click", () => {
    buttons.forEach((button) => button.setAttribute("aria-pressed", "false"));
    typed.value = "";
    show();
  });
  typed.addEventListener("input", () => {
    buttons.forEach((button) => button.setAttribute("aria-pressed", "false"));
    const wrong = [];
    for (const sign of typed.value.toUpperCase().replace(/[\s,]/g, "")) {
      const free = buttons.find((button) => button.getAttribute("aria-pressed") === "false"
        && (facts.codes[button.dataset.bit] === sign || facts.signs[sign] === facts.codes[button.dataset.bit]));
      if (free) free.setAttribute("aria-pressed", "true"); else wrong.push(sign);
    }
    show();
    if (wrong.length) told.textContent = put(facts.texts["no such tile"], { signs: wrong.join(" ") });
  });
}
