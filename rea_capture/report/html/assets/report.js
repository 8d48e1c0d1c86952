// The whole: which comparison is open, light or dark, paper.

const MAX_PRINTED_STEPS = 40;

class ReportView {
  constructor() {
    this.main = document.getElementById("main");
    this.index = document.getElementById("index");
    this.count = REPORT.comparisons.length;
    this.opened = null;
    this.help = helpWindow();
    document.body.append(this.help);
    this.controls();
  }

  controls() {
    const box = document.getElementById("controls");
    this.back = button("All comparisons", () => this.all(), { hidden: true });
    this.theme = button("Dark", () => this.switchTheme(), { "aria-pressed": "false", id: "theme" });
    const keysButton = button("Keys", () => this.help.showModal(), {
      "aria-haspopup": "dialog",
      "aria-keyshortcuts": "?",
    });
    fill(box, [this.count > 1 ? this.back : null, this.theme, keysButton]);
    this.theme.setAttribute("aria-pressed", String(this.isDark()));
  }

  isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  switchTheme() {
    const dark = !this.isDark();
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    this.theme.setAttribute("aria-pressed", String(dark));
    say(dark ? "Dark" : "Light");
  }

  close() {
    this.opened = null;
    if (this.main.querySelector(".comparison")) this.main.replaceChildren();
    this.index.hidden = false;
    this.back.hidden = true;
  }

  all() {
    this.close();
    this.place("#index");
    this.index.querySelector("a").focus();
  }

  place(hash) {
    this.at = hash;
    if (location.hash !== hash) history.replaceState(null, "", hash);
  }

  // Opens what an address names: a comparison, and a step or a part of it.
  go(hash) {
    const found = /^#c(\d+)(?:\/(?:s(\d+)|([a-z]+)))?$/.exec(hash);
    if (found === null || Number(found[1]) >= this.count) return this.count === 1 ? this.open(0) : this.close();
    this.open(Number(found[1]));
    const tab = this.opened.tabs.find((one) => one.name === found[3]);
    const at = Number(found[2]) - 1;
    if (tab) this.opened.show(tab.name);
    else if (at >= 0 && at < this.opened.comparison.steps.length) {
      this.opened.show("steps");
      this.opened.open(at);
    }
  }

  open(number, focus = false) {
    if (this.opened?.comparison.number !== number) {
      this.opened = new ComparisonView(comparisonOf(number), (hash) => this.place(hash));
      this.main.replaceChildren(this.opened.node);
      this.index.hidden = true;
      this.back.hidden = this.count === 1;
      const steps = this.opened.comparison.steps;
      const first = steps.findIndex((step) => step.status !== "unchanged");
      this.opened.show("steps");
      this.opened.open(steps.length ? Math.max(0, first) : null, null, true);
    }
    if (focus) document.getElementById("comparison-title").focus();
  }

  pressed(key) {
    if (key === "?") this.help.showModal();
    else if (key === "t") this.switchTheme();
    else if (key === "i" && this.count > 1) this.all();
    else if ((key === "]" || key === "[") && this.count > 1) this.beside(key === "]" ? 1 : -1);
    else if (this.opened === null) return false;
    else return this.pressedInside(key);
    return true;
  }

  beside(by) {
    const from = this.opened === null ? (by > 0 ? -1 : this.count) : this.opened.comparison.number;
    this.open(Math.max(0, Math.min(this.count - 1, from + by)), true);
  }

  pressedInside(key) {
    if (key === "j" || key === "k") this.opened.walk(key === "j" ? 1 : -1);
    else if (key === "n" || key === "p") this.opened.seek(key === "n" ? 1 : -1);
    else if (key >= "1" && key <= "4" && key.length === 1) this.opened.mode(Number(key));
    else if (key === "f") {
      this.opened.show("steps");
      this.opened.node.querySelector("[data-filter]").focus();
    } else if (TAB_KEYS[key]) {
      this.opened.show(TAB_KEYS[key]);
      document.getElementById(`tab-${TAB_KEYS[key]}`).focus();
    } else return false;
    return true;
  }

  paper() {
    let takeBack = null;
    addEventListener("beforeprint", () => {
      takeBack = this.opened?.forPrint(MAX_PRINTED_STEPS) ?? null;
    });
    addEventListener("afterprint", () => {
      takeBack?.();
      takeBack = null;
    });
  }
}

const report = new ReportView();
document.documentElement.classList.add("scripted");
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
report.index.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, "", link.hash);
  report.open(Number(link.hash.slice(2)), true);
});
addEventListener("hashchange", () => {
  if (location.hash !== report.at) report.go(location.hash);
});
listen(report);
report.paper();
report.index.hidden = report.count === 1;
report.go(location.hash);
