// @ts-check
import { byId, create } from './dom.js';
import { TranscriptModel } from './transcript-model.js';

/** How near to its end a scrolled list counts as being there. */
const STICKY_PX = 48;

/** The conversation as a script: who, when, what. */
export class TranscriptView {
  #list = byId('transcript', HTMLElement);
  #empty = byId('transcript-empty', HTMLElement);
  #scroller = byId('script', HTMLElement);
  #model = new TranscriptModel();
  /** @type {Map<number, HTMLElement>} */ #items = new Map();

  clear() {
    this.#model = new TranscriptModel();
    this.#items.clear();
    this.#list.replaceChildren();
    this.#empty.hidden = false;
  }

  silenced() {
    this.#model.silenced();
  }

  sounded() {
    this.#model.sounded();
  }

  /**
   * @param {{ role: 'user' | 'assistant', text: string, final: boolean }} said
   * @param {number} atMs since the call began
   */
  add(said, atMs) {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    const atEnd = scrollHeight - scrollTop - clientHeight < STICKY_PX;
    const line = this.#model.add(said, atMs);
    this.#show(line);
    this.#empty.hidden = this.#items.size > 0;
    // Who scrolled back to read is left there.
    if (atEnd) this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  /** @param {import('./transcript-model.js').Line} line */
  #show(line) {
    const shown = this.#items.get(line.id);
    if (line.text === '') {
      shown?.remove();
      this.#items.delete(line.id);
      return;
    }
    const item = shown ?? this.#create(line);
    const said = /** @type {HTMLElement} */ (item.querySelector('.said'));
    said.textContent = line.text;
    item.classList.toggle('interim', !line.final);
    item.classList.toggle('cut', line.cut);
    // Read out once, when it is settled.
    if (line.final) item.removeAttribute('aria-hidden');
    else item.setAttribute('aria-hidden', 'true');
  }

  /** @param {import('./transcript-model.js').Line} line */
  #create(line) {
    const item = create('li', `line ${line.role}`);
    const who = create('span', 'who', line.role === 'user' ? 'You' : 'Assistant');
    const at = create('time', 'at', clockText(line.atMs));
    item.append(who, at, create('span', 'said'));
    this.#items.set(line.id, item);
    this.#list.append(item);
    return item;
  }
}

/** @param {number} ms */
export function clockText(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
