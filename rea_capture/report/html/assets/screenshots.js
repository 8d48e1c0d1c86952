// Two screenshots: side by side, with a slider, blinking, or one over the other with boxes.

const MODES = [
  ["side", "Side by side"],
  ["slider", "Slider"],
  ["blink", "Blink"],
  ["overlay", "Overlay"],
];
const BLINK_MS = 700;

// Kept from step to step.
const view = { mode: "side", boxes: true };

// `before` and `after` are digests, or null; `explanation` is null or of pixels.
function screenshots(before, after, explanation) {
  const pixels = explanation && explanation.kind === "pixels" ? explanation : null;
  if (!before && !after)
    return pixels
      ? [emptyFrame(pixels), pixelFacts(pixels)]
      : note("The pictures are in the captures, which were not at hand.");
  if (!before || !after || before === after)
    return single(before === after ? "Both captures" : before ? "Before" : "After", before ?? after);
  const pair = { before, after, pixels, size: commonSize(before, after) };
  const shown = element("div", { class: "shown" });
  const box = element("div", { class: "shots" }, modeButtons(pair, shown), shown, pixels ? pixelFacts(pixels) : null);
  box.showMode = (mode) => showMode(box, pair, shown, mode);
  box.showMode(view.mode);
  return box;
}

function modeButtons(pair, shown) {
  const boxes = element("input", { type: "checkbox" });
  boxes.checked = view.boxes;
  boxes.addEventListener("change", () => {
    view.boxes = boxes.checked;
    shown.closest(".shots").showMode(view.mode);
  });
  return element(
    "div",
    { class: "modes", role: "group", "aria-label": "How to look at the screenshots" },
    MODES.map(([mode, words], at) =>
      button(
        `${at + 1} ${words}`,
        (event) => {
          event.currentTarget.closest(".shots").showMode(mode);
        },
        { "data-mode": mode, "aria-pressed": "false", class: "small" },
      ),
    ),
    pair.pixels ? element("label", {}, boxes, " Boxes") : null,
  );
}

function showMode(box, pair, shown, mode) {
  view.mode = mode;
  for (const one of box.querySelectorAll("[data-mode]"))
    one.setAttribute("aria-pressed", String(one.dataset.mode === mode));
  shown.replaceChildren();
  fill(shown, [{ side: sideBySide, slider, blink, overlay }[mode](pair)]);
}

function commonSize(before, after) {
  const [one, other] = [PICTURES[before], PICTURES[after]];
  return { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) };
}

function single(words, sha256) {
  const info = PICTURES[sha256];
  return figure(words, sha256, stage(info, picture(sha256, words, info)));
}

function figure(words, sha256, ...content) {
  const info = PICTURES[sha256];
  return element(
    "figure",
    {},
    element("figcaption", {}, `${words}: ${number(info.width)} × ${number(info.height)} pixels`),
    content,
    info.note === null ? null : note(captured(info.note)),
  );
}

// A frame of the pictures' proportions, in which places are parts of `size`.
function stage(size, ...content) {
  const node = element("div", { class: "stage" }, content);
  node.style.aspectRatio = `${size.width} / ${size.height}`;
  node.style.maxWidth = `${size.width}px`;
  return node;
}

function picture(sha256, words, size) {
  const info = PICTURES[sha256];
  const url = pictureUrl(sha256);
  if (url === null) return element("p", { class: "absent" }, `${words}: not in this file`);
  const image = element("img", { alt: `Screenshot, ${words.toLowerCase()}` });
  image.style.width = `${(100 * info.width) / size.width}%`;
  image.style.height = `${(100 * info.height) / size.height}%`;
  image.src = url;
  return image;
}

function boxesOf(pair) {
  if (!pair.pixels || !view.boxes) return [];
  return pair.pixels.regions.map((region) => regionBox(region, pair.size));
}

function regionBox(region, size) {
  const box = element("div", { class: "region", "aria-hidden": "true" });
  box.style.left = `${(100 * region.x) / size.width}%`;
  box.style.top = `${(100 * region.y) / size.height}%`;
  box.style.width = `${(100 * region.width) / size.width}%`;
  box.style.height = `${(100 * region.height) / size.height}%`;
  return box;
}

function sideBySide(pair) {
  return element(
    "div",
    { class: "two" },
    SIDES.map((side) => {
      const words = side === "before" ? "Before" : "After";
      return figure(words, pair[side], stage(pair.size, picture(pair[side], words, pair.size), boxesOf(pair)));
    }),
  );
}

function notes(pair) {
  return SIDES.map((side) => PICTURES[pair[side]].note)
    .filter((words, at, all) => words !== null && all.indexOf(words) === at)
    .map((words) => note(captured(words)));
}

function range(words, value, change) {
  const input = element("input", { type: "range", min: "0", max: "100", value: String(value), "aria-label": words });
  input.addEventListener("input", () => change(Number(input.value)));
  change(value);
  return input;
}

function slider(pair) {
  const after = element("div", { class: "layer" }, picture(pair.after, "After", pair.size));
  const line = element("div", { class: "divider", "aria-hidden": "true" });
  const frame = stage(pair.size, picture(pair.before, "Before", pair.size), after, boxesOf(pair), line);
  const input = range("Before on the left of the slider, after on the right", 50, (value) => {
    after.style.clipPath = `inset(0 0 0 ${value}%)`;
    line.style.left = `${value}%`;
  });
  frame.addEventListener("pointermove", (event) => {
    if (!event.buttons && event.pointerType !== "mouse") return;
    const place = frame.getBoundingClientRect();
    input.value = String(Math.round((100 * (event.clientX - place.left)) / place.width));
    input.dispatchEvent(new Event("input"));
  });
  return [
    element("p", { class: "ends" }, element("span", {}, "Before"), input, element("span", {}, "After")),
    frame,
    notes(pair),
  ];
}

function blink(pair) {
  const after = element("div", { class: "layer" }, picture(pair.after, "After", pair.size));
  const frame = stage(pair.size, picture(pair.before, "Before", pair.size), after, boxesOf(pair));
  const which = element("strong", { class: "which" });
  const toggle = button("", () => set(timer === null), { class: "small" });
  let timer = null;
  function swap() {
    if (!frame.isConnected && timer !== null) return set(false);
    after.hidden = !after.hidden;
    which.textContent = after.hidden ? "Before" : "After";
  }
  function set(running) {
    if (timer !== null) clearInterval(timer);
    timer = running ? setInterval(swap, BLINK_MS) : null;
    toggle.textContent = running ? "Stop" : "Start";
  }
  swap();
  set(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  return [
    element(
      "p",
      { class: "ends" },
      toggle,
      button(
        "Swap",
        () => {
          set(false);
          swap();
        },
        { class: "small" },
      ),
      which,
    ),
    frame,
    notes(pair),
  ];
}

function overlay(pair) {
  const after = element("div", { class: "layer" }, picture(pair.after, "After", pair.size));
  const frame = stage(pair.size, picture(pair.before, "Before", pair.size), after, boxesOf(pair));
  const input = range("How much of the picture after covers the one before", 60, (value) => {
    after.style.opacity = String(value / 100);
  });
  return [
    element("p", { class: "ends" }, element("span", {}, "Before"), input, element("span", {}, "After")),
    frame,
    notes(pair),
  ];
}

// Where there are boxes and no pictures.
function emptyFrame(pixels) {
  const size = {
    width: Math.max(1, pixels.before.width, pixels.after.width),
    height: Math.max(1, pixels.before.height, pixels.after.height),
  };
  return element(
    "figure",
    {},
    element(
      "figcaption",
      {},
      "Where the changed regions are. The pictures are in the captures, which were not at hand.",
    ),
    stage(
      size,
      pixels.regions.map((region) => regionBox(region, size)),
    ),
  );
}

function pixelFacts(pixels) {
  const shift = pixels.shift;
  const tolerance = pixels.tolerance;
  return [
    facts([
      ["Sizes", sizes(pixels.before, pixels.after)],
      [
        "Changed pixels",
        `${number(pixels.changed_pixels)} of ${number(pixels.compared_pixels)} (${percent(pixels.changed_parts_per_million)})`,
      ],
      [
        "Moved",
        shift === null
          ? null
          : `Content below ${number(shift.from_y)} pixels only moved ${shift.direction} by ${counted(shift.pixels, "pixel")}.`,
      ],
      [
        "Not counted",
        `${counted(tolerance.below_threshold_pixels, "pixel")} within ${tolerance.threshold_percent} % of the greatest ` +
          `difference, ${number(tolerance.antialiased_pixels)} that smooth an edge differently (${tolerance.method}).`,
      ],
    ]),
    pixels.regions.length
      ? disclosure({
          level: 5,
          title: counted(pixels.regions.length, "changed region"),
          open: false,
          make: () => [
            pixels.joined_regions ? note(`Neighbours were joined ${counted(pixels.joined_regions, "time")}.`) : null,
            more(
              pixels.regions,
              ROWS_AT_ONCE,
              (one) =>
                element(
                  "li",
                  {},
                  `${number(one.width)} × ${number(one.height)} at ${number(one.x)}, ${number(one.y)}: ${counted(one.changed_pixels, "changed pixel")}`,
                ),
              element("ol", { class: "plain" }),
              "region",
            ),
          ],
        })
      : null,
  ];
}

function sizes(before, after) {
  const one = `${number(before.width)} × ${number(before.height)}`,
    other = `${number(after.width)} × ${number(after.height)}`;
  return one === other ? `${one} pixels` : `${one} before, ${other} after`;
}

function percent(partsPerMillion) {
  return `${(partsPerMillion / 10000).toLocaleString("en", { maximumFractionDigits: 4 })} %`;
}
