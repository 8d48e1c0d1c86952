// The steps of a comparison with the state of each artifact, and the filters that choose among them.

const FILTERS = [
  ["changed", "Changed"],
  ["unknown", "Unknown"],
  ["unchanged", "Unchanged"],
];

class Timeline {
  // `choose` is called with the position of a step, and with the artifact to look at, where there is one.
  constructor(comparison, choose) {
    this.comparison = comparison;
    this.choose = choose;
    this.statuses = new Set(FILTERS.map(([status]) => status));
    this.kind = "";
    this.words = "";
    this.list = element("ol", {
      class: "timeline",
      "aria-label": "Steps",
      on: { keydown: (event) => this.walk(event) },
    });
    this.shownWords = element("p", { class: "note", role: "status" });
    this.buttons = comparison.steps.map((step, at) => this.stepButton(step, at));
    this.node = element(
      "section",
      { class: "steps", "aria-label": "Timeline" },
      this.filterForm(),
      this.shownWords,
      this.list,
    );
    this.filter(true);
  }

  filterForm() {
    const toggles = FILTERS.map(([status, words]) => {
      const toggle = button(
        words,
        () => {
          const on = !this.statuses.has(status);
          if (on) this.statuses.add(status);
          else this.statuses.delete(status);
          toggle.setAttribute("aria-pressed", String(on));
          this.filter();
        },
        { class: "small", "aria-pressed": "true", "data-filter": status },
      );
      return toggle;
    });
    const kind = element(
      "select",
      {
        id: "kind",
        on: {
          change: () => {
            this.kind = kind.value;
            this.filter();
          },
        },
      },
      element("option", { value: "" }, "All artifacts"),
      Object.entries(ARTIFACT_NAMES).map(([name, words]) => element("option", { value: name }, words)),
    );
    const search = element("input", {
      type: "search",
      id: "search",
      on: {
        input: () => {
          this.words = search.value.toLowerCase();
          this.filter();
        },
      },
    });
    return element(
      "div",
      { class: "filters", role: "group", "aria-label": "Filter the steps" },
      element("div", { class: "toggles" }, toggles),
      element("div", {}, element("label", { for: "kind" }, "Artifact "), kind),
      element("div", {}, element("label", { for: "search" }, "Step "), search),
      element(
        "details",
        { class: "letters" },
        element("summary", {}, "What the marks mean"),
        Object.entries(SHORT_NAMES).map(([name, letters]) => [
          element("code", {}, letters),
          ` ${ARTIFACT_NAMES[name]} `,
        ]),
        note("Filled: changed. Dashed: unknown. Green: unchanged. Grey: not requested, not compared, or not told."),
      ),
    );
  }

  stepButton(step, at) {
    const cells = step.artifacts.map((one) =>
      element(
        "span",
        { class: `cell ${one.status}`, title: `${ARTIFACT_NAMES[one.artifact]}: ${one.status.replaceAll("_", " ")}` },
        SHORT_NAMES[one.artifact],
      ),
    );
    const words = ["changed", "unknown"]
      .map((status) => {
        const names = step.artifacts.filter((one) => one.status === status).map((one) => ARTIFACT_NAMES[one.artifact]);
        return names.length ? `, ${status}: ${listed(names).join("")}` : "";
      })
      .join("");
    return button(
      [
        element(
          "span",
          { class: "row" },
          element("span", { class: "at" }, `${at + 1}. `),
          captured(step.step_id),
          " ",
          badge(step.status),
        ),
        element("span", { class: "action" }, captured(actionWords(step.after_action ?? step.before_action) ?? "")),
        element("span", { class: "cells", "aria-hidden": "true" }, cells),
        element("span", { class: "unseen" }, words),
      ],
      () => this.choose(at),
      { class: "step-button", tabindex: "-1", "data-step": at },
    );
  }

  isShown(step) {
    const artifact = step.artifacts.find((one) => one.artifact === this.kind);
    const found = artifact ? artifact.status : step.status;
    const status =
      found === "changed" ? "changed" : found === "unknown" || found === "not_aligned" ? "unknown" : "unchanged";
    return this.statuses.has(status) && (!this.words || step.step_id.toLowerCase().includes(this.words));
  }

  filter(quietly) {
    const steps = this.comparison.steps;
    this.shown = steps.map((step, at) => at).filter((at) => this.isShown(steps[at]));
    this.list.replaceChildren(...this.shown.map((at) => element("li", {}, this.buttons[at])));
    this.shownWords.textContent = `${number(this.shown.length)} of ${counted(steps.length, "step")} shown`;
    if (!quietly) this.choose(this.shown.includes(this.at) ? this.at : (this.shown[0] ?? null), null, true);
  }

  mark(at) {
    this.at = at;
    this.buttons.forEach((one, position) => {
      one.setAttribute("aria-current", position === at ? "step" : "false");
      one.tabIndex = position === at ? 0 : -1;
    });
    if (this.buttons[at]?.isConnected) this.bring(this.buttons[at]);
  }

  // Scrolls the list, and never the page: what a reader came for is beside the list.
  bring(one) {
    const box = this.list.scrollHeight > this.list.clientHeight ? this.list : this.node;
    const [place, frame] = [one.getBoundingClientRect(), box.getBoundingClientRect()];
    const [top, bottom] = [Math.max(0, frame.top), Math.min(innerHeight, frame.bottom)];
    if (place.top >= top && place.bottom <= bottom) return;
    box.scrollTop += (place.top + place.bottom - top - bottom) / 2;
  }

  // The step that is `by` further among those shown.
  neighbour(by) {
    const place = this.shown.indexOf(this.at);
    return this.shown[Math.max(0, Math.min(this.shown.length - 1, place + by))] ?? null;
  }

  // The next artifact that differs, from the one named: [step, artifact], or null.
  difference(by, artifact) {
    const all = this.shown.flatMap((at) =>
      this.comparison.steps[at].artifacts
        .filter((one) => differs(one) && (!this.kind || one.artifact === this.kind))
        .map((one) => [at, one.artifact]),
    );
    const here = all.findIndex(([at, name]) => at === this.at && name === artifact);
    if (here >= 0) return all[here + by] ?? null;
    const later = all.findIndex(([at]) => at >= this.at);
    return by > 0 ? (all[later] ?? null) : (all[(later < 0 ? all.length : later) - 1] ?? null);
  }

  walk(event) {
    const by = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = this.neighbour(by);
    if (at === null) return;
    this.choose(at);
    this.buttons[at].focus();
  }
}
