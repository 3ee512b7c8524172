/**
 * The script of every page: it adds search, filters, links to a step and the arrow keys. Without it the page shows everything,
 * and each step still opens.
 */
export const SCRIPT = `
"use strict";
(() => {
  const steps = [...document.querySelectorAll("details.s")];
  const tools = document.getElementById("tools");
  const open = (id) => {
    const body = id && document.getElementById(id);
    const step = body && body.closest("details.s");
    if (!step) return;
    step.hidden = false;
    step.open = true;
    requestAnimationFrame(() => {
      step.firstElementChild.focus({ preventScroll: true });
      step.scrollIntoView();
    });
  };
  const named = () => {
    try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; }
  };
  addEventListener("hashchange", () => open(named()));
  open(named());
  addEventListener("beforeprint", () => { for (const step of steps) step.open = true; });
  document.addEventListener("keydown", (event) => {
    const step = event.target instanceof Element && event.target.matches("summary") ? event.target.parentElement : null;
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    const visible = [...document.querySelectorAll("details.s:not([hidden])")];
    const at = visible.indexOf(step);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: visible.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    visible[Math.max(0, Math.min(visible.length - 1, to))].firstElementChild.focus();
  });
  if (!tools) return;
  const search = tools.querySelector("input");
  const choices = [...tools.querySelectorAll("select:not([name=order])")];
  const order = tools.querySelector("select[name=order]");
  const count = document.getElementById("count");
  const known = (step, name) => {
    switch (name) {
      case "action": return [step.classList[1]];
      default: return (step.dataset[name] || "").split("\\n").filter(Boolean);
    }
  };
  const facts = steps.map((step) => Object.fromEntries(choices.map(({ name }) => [name, known(step, name)])));
  for (const choice of choices) {
    const values = [...new Set(facts.flatMap((fact) => fact[choice.name]))].sort();
    choice.append(...values.map((value) => new Option(value, value)));
    choice.parentElement.hidden = values.length === 0;
  }
  let texts = null;
  const read = () => (texts = texts || steps.map((step) => step.textContent.toLowerCase()));
  (window.requestIdleCallback || setTimeout)(read);
  const places = new Map(steps.map((step, at) => [step, at]));
  const sort = () => {
    const by = order.value;
    const most = (step) => Number(step.dataset[by] || 0);
    const compare = by === "app"
      ? (one, other) => (one.dataset.app || "\\uffff").localeCompare(other.dataset.app || "\\uffff")
      : (one, other) => (by === "" ? 0 : most(other) - most(one));
    for (const section of new Set(steps.map((step) => step.parentElement)))
      section.append(...[...section.children].filter((one) => places.has(one)).sort((one, other) => compare(one, other) || places.get(one) - places.get(other)));
  };
  order.addEventListener("change", sort);
  const show = () => {
    read();
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const wanted = choices.filter(({ value }) => value !== "");
    let shown = 0;
    steps.forEach((step, at) => {
      const fits = words.every((word) => texts[at].includes(word)) && wanted.every(({ name, value }) => facts[at][name].includes(value));
      if (step.hidden === fits) step.hidden = !fits;
      if (fits) shown += 1;
    });
    count.textContent = shown + " of " + steps.length + " shown";
  };
  tools.addEventListener("input", show);
  tools.addEventListener("change", show);
  tools.querySelector("button[name=all]").addEventListener("click", () => {
    const visible = steps.filter(({ hidden }) => !hidden);
    const opens = visible.some((step) => !step.open);
    for (const step of visible) step.open = opens;
  });
  tools.querySelector("button[name=reset]").addEventListener("click", () => {
    search.value = "";
    for (const choice of choices) choice.value = "";
    order.value = "";
    sort();
    show();
    search.focus();
  });
  tools.hidden = false;
  count.textContent = steps.length + " of " + steps.length + " shown";
})();
`;
