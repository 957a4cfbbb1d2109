// @ts-check
import { Api, ApiError } from './api.js';
import { byId } from './dom.js';
import { explainError } from './explain.js';

const STORED = 'parley.key';

/**
 * The key of this tab, as long as the tab lives.
 * @returns {string | undefined}
 */
export function storedKey() {
  return sessionStorage.getItem(STORED) ?? undefined;
}

export function forgetKey() {
  sessionStorage.removeItem(STORED);
}

/** Asks for the API key until one is good. */
export class SignIn {
  #form = byId('sign-in', HTMLFormElement);
  #field = byId('key', HTMLInputElement);
  #fault = byId('key-fault', HTMLElement);
  #button = byId('sign-in-button', HTMLButtonElement);

  /** @param {(api: Api, assistants: import('./api.js').Assistant[]) => void} onSignedIn */
  constructor(onSignedIn) {
    this.#form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const key = this.#field.value.trim();
      if (key === '') return this.#refuse('Paste the key first.');
      this.#button.disabled = true;
      try {
        await this.enter(key, onSignedIn);
      } catch (error) {
        this.#refuse(faultOf(error));
      } finally {
        this.#button.disabled = false;
      }
    });
    this.#field.addEventListener('input', () => this.#clearFault());
  }

  /**
   * @param {string} key
   * @param {(api: Api, assistants: import('./api.js').Assistant[]) => void} onSignedIn
   */
  async enter(key, onSignedIn) {
    const api = new Api(key);
    const assistants = await api.listAssistants();
    sessionStorage.setItem(STORED, key);
    this.#field.value = '';
    onSignedIn(api, assistants);
  }

  /** @param {unknown} [error] why the page is here again */
  show(error) {
    this.#form.hidden = false;
    if (error) this.#refuse(faultOf(error));
    else this.#field.focus();
  }

  hide() {
    this.#form.hidden = true;
    this.#clearFault();
  }

  /** @param {string} text */
  #refuse(text) {
    this.#fault.textContent = text;
    this.#field.setAttribute('aria-invalid', 'true');
    this.#field.focus();
    this.#field.select();
  }

  #clearFault() {
    this.#fault.textContent = '';
    this.#field.removeAttribute('aria-invalid');
  }
}

/** @param {unknown} error */
function faultOf(error) {
  if (error instanceof ApiError && error.status === 401) {
    return 'This key is not valid. It was printed when the service first started.';
  }
  const { title, text } = explainError(error);
  return `${title}. ${text}`;
}
