// @ts-check
/** The controls of the toolbar, which show the settings and report changes. */

import { count } from "./dates.js";
import { text } from "./texts.js";

/** @typedef {import("./settings.js").Settings} Settings */

export class Controls {
  #sliderTimer = 0;

  /** @param {HTMLFormElement} form
   * @param {{onChange: (changed: Partial<Settings>) => void, onDate: (day: string) => void,
   *   onNumber: (number: number) => void}} handlers */
  constructor(form, handlers) {
    this.form = form;
    this.handlers = handlers;
    this.stream = /** @type {HTMLSelectElement} */ (this.#named("stream"));
    this.count = /** @type {HTMLElement} */ (form.querySelector(".count"));
    this.fold = /** @type {HTMLElement} */ (form.querySelector(".fold"));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", (event) => this.#changed(/** @type {any} */ (event.target)));
    form.addEventListener("input", (event) => this.#slid(/** @type {any} */ (event.target)));
    const date = /** @type {HTMLInputElement} */ (this.#named("day"));
    const number = /** @type {HTMLInputElement} */ (this.#named("number"));
    const go = () => {
      if (number.value) handlers.onNumber(Number(number.value));
      else if (date.value) handlers.onDate(date.value);
      number.value = "";
      /** @type {any} */ (document.getElementById("go")).hidePopover();
    };
    form.querySelector("#go button")?.addEventListener("click", go);
    for (const field of [date, number]) {
      field.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        go();
      });
    }
  }

  /** Shows settings.
   * @param {Settings} settings */
  show(settings) {
    for (const name of ["layout", "sections", "direction", "size", "spacing"]) {
      this.#named(name).value = String(/** @type {any} */ (settings)[name]);
    }
    this.#named("captions").checked = settings.captions;
    const isMap = settings.layout === "map";
    this.form.dataset.layout = settings.layout;
    this.#showLayout(settings.layout);
    for (const name of ["sections", "size", "captions"]) this.#named(name).disabled = isMap;
  }

  /** Shows the layout in the button that narrow windows have for all of them. */
  #showLayout(/** @type {string} */ layout) {
    const label = this.form.querySelector(`.layouts label:has([value="${layout}"])`);
    const icon = label?.querySelector("svg");
    if (!icon || !label) return;
    this.fold.replaceChildren(icon.cloneNode(true));
    this.fold.setAttribute("aria-label", text("Layout: {name}", { name: label.textContent ?? "" }));
  }

  #named(/** @type {string} */ name) {
    return /** @type {any} */ (this.form.elements.namedItem(name));
  }

  /** Shows the streams.
   * @param {{stream: string}[]} streams
   * @param {string | null} current */
  showStreams(streams, current) {
    const names = streams.map(({ stream }) => stream);
    if (current && !names.includes(current)) names.push(current);
    if (names.join("\n") !== [...this.stream.options].map((option) => option.value).join("\n")) {
      this.stream.replaceChildren(...names.map((name) => new Option(name, name)));
    }
    this.stream.value = current ?? "";
    // Together, so that nothing in the toolbar moves.
    /** @type {HTMLElement} */ (this.stream.parentElement).hidden = names.length === 0;
  }

  /** Shows the number of photos.
   * @param {number | null} photos */
  showCount(photos) {
    this.count.textContent = photos === null ? "" : count(photos);
  }

  #changed(/** @type {HTMLInputElement} */ { name, value, checked }) {
    if (name === "layout") /** @type {any} */ (this.form.querySelector(".layouts:popover-open"))?.hidePopover();
    if (name === "captions") this.handlers.onChange({ captions: checked });
    else if (["stream", "layout", "sections", "direction"].includes(name)) {
      this.handlers.onChange(/** @type {any} */ ({ [name]: value }));
    }
  }

  /** Changes the layout while a slider is dragged, but not for every step. */
  #slid(/** @type {HTMLInputElement} */ { name, value }) {
    if (name !== "size" && name !== "spacing") return;
    clearTimeout(this.#sliderTimer);
    this.#sliderTimer = window.setTimeout(() => this.handlers.onChange({ [name]: Number(value) }), 60);
  }
}
