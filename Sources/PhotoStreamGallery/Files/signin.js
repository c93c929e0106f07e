// @ts-check
/** The form that asks for a token, where the server wants one, and the end of its session. */

import { Problem } from "./photostream.js";

export class SignIn {
  #form;
  #field;
  #problem;
  #button;

  /**
   * @param {{dialog: HTMLDialogElement, out: HTMLButtonElement}} elements `out` ends the session.
   * @param {import("./photostream.js").PhotoStreamClient} client
   * @param {() => void} onSignedIn Shows again what the server has refused.
   */
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
    // There is nothing to go back to.
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    out.addEventListener("click", () => { void this.#end(); });
  }

  /** Asks for a token; what is on the page stays there meanwhile. */
  ask() {
    if (this.dialog.open) return;
    this.#field.value = "";
    this.#say("");
    this.out.hidden = true;
    this.dialog.showModal();
  }

  /** Finds out whether there is a session that can be ended, and what the link of a share does not show. */
  async learn() {
    const { name, share } = await this.client.session().catch(() => ({ name: null, share: undefined }));
    for (const [hidden, isShown] of Object.entries({
      "no-maps": share?.showsPositions, "no-names": share?.showsNames, "no-originals": share?.sendsOriginals,
    })) document.documentElement.classList.toggle(hidden, isShown === false);
    this.out.hidden = name === null;
    this.out.title = name === null ? "" : `Signed in as “${name}”`;
  }

  async #send() {
    const token = this.#field.value.trim();
    if (token === "") return this.#say("Enter a token.");
    this.#button.disabled = true;
    try {
      await this.client.signIn(token);
      this.dialog.close();
      this.onSignedIn();
    } catch (error) {
      const isWrong = error instanceof Problem && error.status === 401;
      this.#say(isWrong ? "This token is unknown, was revoked or has expired."
        : error instanceof Problem ? error.message : "The server does not answer. Try again.");
    } finally {
      this.#button.disabled = false;
    }
  }

  async #end() {
    await this.client.signOut();
    // Nothing of what was shown stays in the page.
    window.location.reload();
  }

  #say(/** @type {string} */ text) {
    this.#problem.textContent = text;
    this.#field.setAttribute("aria-invalid", String(text !== ""));
    if (text !== "") this.#field.focus();
  }
}
