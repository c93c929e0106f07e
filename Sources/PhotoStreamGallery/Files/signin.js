// @ts-check
/** The form for a token, if the server requires one, and the button that ends the session. */

import { Problem } from "./photostream.js";
import { text } from "./texts.js";

export class SignIn {
  #form;
  #field;
  #problem;
  #button;

  /** @param {{dialog: HTMLDialogElement, out: HTMLButtonElement}} elements `out` is the button that ends the session.
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {() => void} onSignedIn Repeats what the server has refused. */
  constructor({ dialog, out }, client, onSignedIn) {
    this.dialog = dialog;
    this.out = out;
    this.client = client;
    this.onSignedIn = onSignedIn;
    this.#form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
    this.#field = /** @type {HTMLInputElement} */ (this.#form.elements.namedItem("token"));
    this.#problem = /** @type {HTMLElement} */ (dialog.querySelector(".problem"));
    this.#button = /** @type {HTMLButtonElement} */ (dialog.querySelector("button"));
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#send();
    });
    // Without a token there is nothing to show.
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    out.addEventListener("click", () => { void this.#end(); });
  }

  /** Shows the form; the photos stay on the page. */
  ask() {
    if (this.dialog.open) return;
    this.#field.value = "";
    this.#showProblem("");
    this.out.hidden = true;
    this.dialog.showModal();
  }

  /** Requests whether there is a session that can be ended, and what the link of a share hides. */
  async learn() {
    const { name, share } = await this.client.session().catch(() => ({ name: null, share: undefined }));
    for (const [hidden, isShown] of Object.entries({
      "no-maps": share?.showsPositions, "no-names": share?.showsNames, "no-originals": share?.sendsOriginals,
    })) document.documentElement.classList.toggle(hidden, isShown === false);
    this.out.hidden = name === null;
    this.out.title = name === null ? "" : text("Signed in as “{name}”", { name });
  }

  async #send() {
    const token = this.#field.value.trim();
    if (token === "") return this.#showProblem(text("Enter a token."));
    this.#button.disabled = true;
    try {
      await this.client.signIn(token);
      this.dialog.close();
      this.onSignedIn();
    } catch (error) {
      const isWrong = error instanceof Problem && error.status === 401;
      this.#showProblem(isWrong ? text("This token is unknown, revoked or expired.")
        : error instanceof Problem ? error.message : text("The server did not respond. Try again."));
    } finally {
      this.#button.disabled = false;
    }
  }

  async #end() {
    await this.client.signOut();
    // Removes everything that was shown.
    window.location.reload();
  }

  #showProblem(/** @type {string} */ text) {
    this.#problem.textContent = text;
    this.#field.setAttribute("aria-invalid", String(text !== ""));
    if (text !== "") this.#field.focus();
  }
}
