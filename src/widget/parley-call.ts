import type { CallEnd, Said } from '../web-client/media-socket.ts';
import { type CallPhase, WebCall } from '../web-client/web-call.ts';
import { explain, explainEnd } from './explain.ts';
import { startPublicCall } from './public-call.ts';
import { STYLE } from './style.ts';
import { type Parts, parts } from './template.ts';

/** Captions that are kept on the screen. */
const MOST_CAPTIONS = 100;
const QUIET_DB = -60;
/** The service that this script comes from. */
const SERVICE = new URL('..', import.meta.url).href;

type State = 'idle' | 'opening' | CallPhase;

const STATES: Readonly<Record<State, string>> = {
  idle: '',
  opening: 'Connecting',
  connecting: 'Connecting',
  live: 'In call',
  reconnecting: 'Connection lost, reconnecting',
  ended: 'Call ended',
};

/**
 * A button that calls an assistant. Attributes: `public-key`; `label` of the button; `captions="off"`; `service`, the
 * address of the service, if it is not where this script comes from. Its events, `parley-phase` and `parley-said`, bubble.
 */
class ParleyCall extends HTMLElement {
  readonly #parts: Parts;
  #call: WebCall | undefined;
  #state: State = 'idle';
  #muted = false;
  /** Of the speaker's text that is not final yet. */
  readonly #interim = new Map<Said['role'], HTMLElement>();
  /** Counts the calls: what an earlier one still tells is of no interest. */
  #serial = 0;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    this.#parts = parts(root);
    const { call, mute, form, text } = this.#parts;
    call.addEventListener('click', () => this.#toggle());
    mute.addEventListener('click', () => this.#mute(!this.#muted));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const said = text.value.trim();
      if (said === '' || this.#state !== 'live') return;
      this.#call?.sendText(said);
      text.value = '';
    });
  }

  static readonly observedAttributes = ['label'];

  connectedCallback(): void {
    this.#show('idle');
  }

  attributeChangedCallback(): void {
    this.#show(this.#state);
  }

  /** Whoever takes it out of the page hangs up. */
  disconnectedCallback(): void {
    this.#serial++;
    this.#call?.hangUp();
    this.#call = undefined;
  }

  /** Begins a call, as the button does; needs a click or a key of the visitor, too. */
  async start(): Promise<void> {
    if (this.#state !== 'idle' && this.#state !== 'ended') return;
    const serial = ++this.#serial;
    this.#parts.captions.replaceChildren();
    this.#parts.fault.textContent = '';
    this.#mute(false);
    this.#show('opening');
    const isOld = () => serial !== this.#serial;
    try {
      const call = await WebCall.start(() => this.#connect(), {
        onPhase: (phase, end) => isOld() || this.#phase(phase, end),
        onTranscript: (said) => isOld() || this.#caption(said),
        onLevel: ({ role, db }) => isOld() || this.#level(role, db),
        onMicrophoneLost: () => isOld() || this.#say('The microphone was lost. You can write.'),
        onError: ({ message }) => isOld() || this.#say(message),
      });
      if (isOld()) call.hangUp();
      else this.#call = call;
    } catch (error) {
      if (isOld()) return;
      this.#say(explain(error));
      this.#show('ended');
    }
  }

  hangUp(): void {
    this.#call?.hangUp();
  }

  #connect(): Promise<URL> {
    const service = this.getAttribute('service') ?? SERVICE;
    return startPublicCall(service, this.getAttribute('public-key') ?? '');
  }

  #toggle(): void {
    if (this.#state === 'idle' || this.#state === 'ended') void this.start();
    else if (this.#state !== 'opening') this.hangUp();
  }

  #phase(phase: CallPhase, end: CallEnd | undefined): void {
    if (phase === 'ended') {
      this.#call = undefined;
      if (end) this.#say(explainEnd(end));
    }
    this.#show(phase);
    this.#tell('parley-phase', { phase, ...(end ? { reason: end.reason } : {}) });
  }

  #show(state: State): void {
    this.#state = state;
    const inCall = state !== 'idle' && state !== 'ended';
    const { call, callText, mute, status, form, panel } = this.#parts;
    callText.textContent = inCall ? 'End call' : (this.getAttribute('label') ?? 'Talk to us');
    call.dataset.state = state;
    // The microphone's question is open: there is nothing to end yet.
    call.setAttribute('aria-disabled', String(state === 'opening'));
    mute.hidden = !inCall;
    form.hidden = state !== 'live';
    status.textContent = STATES[state];
    panel.hidden = state === 'idle';
    panel.dataset.captions = this.getAttribute('captions') ?? 'on';
    if (!inCall) call.style.removeProperty('--level');
  }

  #mute(muted: boolean): void {
    this.#muted = muted;
    this.#call?.setMuted(muted);
    this.#parts.mute.setAttribute('aria-pressed', String(muted));
  }

  #say(fault: string): void {
    this.#parts.fault.textContent = fault;
  }

  #caption(said: Said): void {
    const { role, text, final } = said;
    const line = this.#interim.get(role) ?? document.createElement('p');
    line.className = final ? role : `${role} interim`;
    line.dataset.who = role === 'user' ? 'You' : 'Assistant';
    line.textContent = text;
    // Read aloud once, when it is complete.
    if (final) line.removeAttribute('aria-hidden');
    else line.setAttribute('aria-hidden', 'true');
    if (final || text === '') this.#interim.delete(role);
    else this.#interim.set(role, line);
    const { captions } = this.#parts;
    if (text === '') line.remove();
    else if (!line.isConnected) captions.append(line);
    if (captions.childElementCount > MOST_CAPTIONS) captions.firstElementChild?.remove();
    captions.scrollTop = captions.scrollHeight;
    if (final) this.#tell('parley-said', { role, text });
  }

  #level(role: 'user' | 'assistant', db: number): void {
    if (role !== 'assistant') return;
    const level = Math.max(0, Math.min(1, 1 - db / QUIET_DB));
    this.#parts.call.style.setProperty('--level', level.toFixed(2));
  }

  #tell(type: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

customElements.define('parley-call', ParleyCall);
