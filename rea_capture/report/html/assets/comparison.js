// One comparison, opened: its steps, its network, what is unknown, what limits it, where it is from.

class ComparisonView {
  constructor(comparison, place) {
    this.comparison = comparison;
    this.place = place;
    this.pane = element("div", { class: "pane" });
    this.timeline = new Timeline(comparison, (at, artifact, keepFocus) => this.open(at, artifact, keepFocus));
    this.tabs = [
      ["steps", "Steps", () => element("div", { class: "split" }, this.timeline.node, this.pane)],
      ["network", "Network", () => waterfall(comparison, () => true)],
      [
        "unknown",
        `Unknown (${number(comparison.counts.unknown + comparison.unknown_besides.length)})`,
        () =>
          unknowns(comparison, (at, artifact) => {
            this.show("steps");
            this.open(at, artifact);
          }),
      ],
      ["limitations", "Limitations", () => limitations(comparison)],
      ["provenance", "Provenance", () => provenance(comparison)],
    ].map(([name, words, make]) => this.tab(name, words, make));
    this.node = element(
      "section",
      { class: "comparison", "aria-labelledby": "comparison-title" },
      this.head(),
      this.tablist(),
      this.tabs.map((tab) => tab.panel),
    );
  }

  head() {
    const { steps_changed: changed, steps_unknown: unknown, steps_not_aligned: lone } = this.comparison.counts;
    return element(
      "div",
      { class: "head" },
      element(
        "h2",
        { id: "comparison-title", tabindex: "-1" },
        captured(this.comparison.name),
        " ",
        badge(this.comparison.status),
      ),
      note(
        `${counted(this.comparison.counts.changed, "artifact")} changed, ${number(this.comparison.counts.unknown)} unknown. ` +
          `Of ${counted(this.comparison.steps.length, "step")}, ${number(changed)} changed, ${number(unknown)} unknown, ` +
          `${number(lone)} not aligned.`,
      ),
    );
  }

  tab(name, words, make) {
    const panel = element("div", {
      role: "tabpanel",
      id: `panel-${name}`,
      "aria-labelledby": `tab-${name}`,
      class: `tabpanel ${name}`,
      "data-title": words,
      hidden: true,
    });
    const toggle = button(words, () => this.show(name), {
      role: "tab",
      id: `tab-${name}`,
      "aria-controls": `panel-${name}`,
      "aria-selected": "false",
      tabindex: "-1",
    });
    return { name, toggle, panel, make, made: false };
  }

  tablist() {
    const walk = (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const at = this.tabs.findIndex((tab) => tab.name === this.shown);
      const next = this.tabs[(at + by + this.tabs.length) % this.tabs.length];
      this.show(next.name);
      next.toggle.focus();
    };
    return element(
      "div",
      { role: "tablist", class: "tabs", "aria-label": "Parts of the comparison", on: { keydown: walk } },
      this.tabs.map((tab) => tab.toggle),
    );
  }

  show(name) {
    this.shown = name;
    for (const tab of this.tabs) {
      const chosen = tab.name === name;
      if (chosen && !tab.made) {
        tab.made = true;
        fill(tab.panel, [guarded(tab.make)]);
      }
      tab.panel.hidden = !chosen;
      tab.toggle.setAttribute("aria-selected", String(chosen));
      tab.toggle.tabIndex = chosen ? 0 : -1;
    }
    this.note();
  }

  // Shows the step at `at`, and brings `artifact` to the reader where one is named.
  open(at, artifact = null, keepFocus = false) {
    this.artifact = artifact;
    if (at === null || at === undefined) {
      this.timeline.mark(null);
      this.pane.replaceChildren(note("No step is shown; choose other filters."));
      return;
    }
    const step = this.comparison.steps[at];
    const kind = this.timeline.kind;
    if (this.made !== `${at} ${kind}`) {
      this.made = `${at} ${kind}`;
      this.pane.replaceChildren(stepPane(this.comparison, step, kind));
    }
    this.timeline.mark(at);
    if (artifact) this.bring(artifact);
    else if (!keepFocus) say(`Step ${at + 1}, ${step.status.replaceAll("_", " ")}`);
    this.note();
  }

  bring(artifact) {
    const panel = this.pane.querySelector(`[data-panel="${artifact}"]`);
    if (panel === null) return;
    panel.opening(true);
    panel.scrollIntoView({ block: "start" });
    panel.querySelector(".toggle").focus();
  }

  walk(by) {
    if (this.shown !== "steps") this.show("steps");
    const at = this.timeline.neighbour(by);
    if (at === null) return;
    this.open(at);
    document.getElementById("step-title").focus();
  }

  seek(by) {
    if (this.shown !== "steps") this.show("steps");
    const focused = document.activeElement?.closest("[data-panel]")?.dataset.panel;
    const found = this.timeline.difference(by, focused ?? this.artifact);
    if (found === null) say(by > 0 ? "This is the last difference." : "This is the first difference.");
    else this.open(found[0], found[1]);
  }

  mode(number) {
    const panel = this.pane.querySelector("[data-panel=screenshot]");
    if (panel === null || this.shown !== "steps") return say("This step has no screenshots to look at.");
    panel.opening(true);
    const shots = panel.querySelector(".shots");
    if (!shots) return say("There are no two screenshots to look at.");
    const [mode, words] = MODES[number - 1];
    shots.showMode(mode);
    say(words);
  }

  // The place in the address, so that it can be copied and gone back to.
  note() {
    const at = this.timeline.at;
    const step = this.shown === "steps" && at !== null && at !== undefined ? `/s${at + 1}` : `/${this.shown}`;
    this.place(`#c${this.comparison.number}${step}`);
  }

  // Opens every step that differs, for paper; gives a function that takes it back.
  forPrint(maxSteps) {
    const shown = this.shown;
    const steps = this.comparison.steps.filter((step) => step.status !== "unchanged").slice(0, maxSteps);
    const all = element(
      "div",
      { class: "all-steps" },
      steps.map((step) => {
        const pane = stepPane(this.comparison, step, "");
        for (const panel of pane.querySelectorAll(".artifact, [data-panel=console]")) panel.opening(true);
        for (const titled of pane.querySelectorAll("#step-title")) titled.removeAttribute("id");
        pane.removeAttribute("aria-labelledby");
        return pane;
      }),
    );
    for (const tab of this.tabs) if (tab.name !== "network") this.show(tab.name);
    for (const tab of this.tabs) tab.panel.hidden = tab.name === "network";
    this.tabs[0].panel.after(all);
    this.node.classList.add("on-paper");
    return () => {
      all.remove();
      this.node.classList.remove("on-paper");
      this.show(shown);
    };
  }
}
