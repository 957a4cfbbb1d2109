// @ts-check
import { byId } from './dom.js';

/** One message over the page: what went wrong and what to do about it. */
export class Notice {
  #box = byId('notice', HTMLElement);
  #title = byId('notice-title', HTMLElement);
  #text = byId('notice-text', HTMLElement);

  constructor() {
    byId('notice-close', HTMLButtonElement).addEventListener('click', () => this.hide());
  }

  /** @param {{ title: string, text: string }} message */
  show({ title, text }) {
    this.#title.textContent = title;
    this.#text.textContent = text;
    this.#box.dataset.shown = 'true';
  }

  hide() {
    delete this.#box.dataset.shown;
    // Emptied, so that the same message is read out again.
    this.#title.textContent = '';
    this.#text.textContent = '';
  }
}
