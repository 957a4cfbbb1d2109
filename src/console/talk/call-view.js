// @ts-check
import { ApiError } from '../../client/api-error.ts';
import { byId } from './dom.js';
import { explainEnd, explainError, insecurePage } from './explain.js';
import { LiveCall } from './live-call.js';
import { Score } from './score.js';
import { clockText, TranscriptView } from './transcript-view.js';
import { TurnsView } from './turns-view.js';

const METRICS_DELAY_MS = 1200;
const IDLE_TEXT = 'Ready to call';

/**
 * @typedef {import('./call-api.ts').CallApi} Api
 * @typedef {import('./live-call.js').CallPhase} CallPhase
 * @typedef {import('./live-call.js').CallEnd} CallEnd
 */

/** The signed-in page: choose, call, watch, hang up. */
export class CallView {
  #workspace = byId('workspace', HTMLElement);
  #select = byId('assistant', HTMLSelectElement);
  #callButton = byId('call', HTMLButtonElement);
  #muteButton = byId('mute', HTMLButtonElement);
  #status = byId('status', HTMLElement);
  #duration = byId('duration', HTMLElement);
  #userState = byId('user-state', HTMLElement);
  #assistantState = byId('assistant-state', HTMLElement);
  #transcript = new TranscriptView();
  #turns = new TurnsView();
  #score = new Score();
  #leaving = new AbortController();
  /** @type {import('./notice.js').Notice} */ #notice;
  /** @type {(error: ApiError) => void} */ #onKeyRefused;
  /** @type {Api | undefined} */ #api;
  /** @type {LiveCall | undefined} */ #call;
  /** @type {CallPhase | 'idle' | 'opening'} */ #phase = 'idle';
  #callId = '';
  #startedAt = 0;
  #muted = false;
  /** @type {ReturnType<typeof setInterval> | undefined} */ #ticking;

  /**
   * @param {import('./notice.js').Notice} notice
   * @param {(error: ApiError) => void} onKeyRefused
   */
  constructor(notice, onKeyRefused) {
    this.#notice = notice;
    this.#onKeyRefused = onKeyRefused;
    this.#callButton.addEventListener('click', () => this.#toggleCall());
    this.#muteButton.addEventListener('click', () => this.#setMuted(!this.#muted));
    const { signal } = this.#leaving;
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      const typing = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
      if (key !== 'm' || ctrlKey || metaKey || altKey || typing || !this.#call) return;
      this.#setMuted(!this.#muted);
    };
    document.addEventListener('keydown', onKey, { signal });
    addEventListener('pagehide', () => this.#call?.hangUp(), { signal });
  }

  /**
   * @param {Api} api
   * @param {ReadonlyArray<import('../../client/api.generated.ts').Assistant>} assistants
   */
  show(api, assistants) {
    this.#api = api;
    this.#workspace.hidden = false;
    this.#select.replaceChildren(...assistants.map(({ _id, name }) => new Option(name, _id)));
    this.#callButton.disabled = assistants.length === 0;
    this.#status.textContent = IDLE_TEXT;
    if (assistants.length === 0) {
      this.#status.textContent = 'No assistant yet';
      this.#notice.show({
        title: 'There is no assistant yet',
        text: 'Create one with POST /assistants/v1/assistants, as the API description at /docs shows, and reload this page.',
      });
    }
    this.#callButton.focus();
  }

  /** The page is left: a call does not go on unseen. */
  dispose() {
    this.hide();
    this.#leaving.abort();
  }

  hide() {
    this.#call?.hangUp();
    this.#api = undefined;
    this.#workspace.hidden = true;
    this.#transcript.clear();
    this.#turns.clear();
  }

  async #toggleCall() {
    if (this.#phase === 'opening') return;
    if (this.#call) return this.#call.hangUp();
    if (!navigator.mediaDevices) return this.#notice.show(insecurePage);
    await this.#startCall();
  }

  async #startCall() {
    const api = this.#api;
    const assistantId = this.#select.value;
    if (!api || assistantId === '') return;
    this.#notice.hide();
    this.#transcript.clear();
    this.#turns.clear();
    this.#callId = '';
    this.#setPhase('opening');
    try {
      this.#call = await LiveCall.start(() => api.connect(assistantId), this.#handlers());
      if (this.#phase === 'opening') this.#setPhase('connecting');
    } catch (error) {
      this.#setPhase('idle');
      if (error instanceof ApiError && error.status === 401) this.#onKeyRefused(error);
      else this.#notice.show(explainError(error));
    }
  }

  /** @returns {import('./live-call.js').LiveCallHandlers} */
  #handlers() {
    return {
      onPhase: (phase, end) => (phase === 'ended' ? this.#ended(end) : this.#setPhase(phase)),
      onCallId: (callId) => {
        this.#callId = callId;
      },
      onTranscript: (line) => this.#transcript.add(line, this.#elapsedMs),
      onState: ({ user, assistant }) => this.#showStates(user, assistant),
      onLevels: (levels) => this.#score.add(levels),
      onAnswer: (latencyMs) => {
        this.#turns.heard(latencyMs);
        setTimeout(() => this.#fetchMetrics(), METRICS_DELAY_MS);
      },
      onSilenced: () => this.#transcript.silenced(),
      onSounded: () => this.#transcript.sounded(),
      onError: ({ message }) => this.#notice.show({ title: 'The service says', text: message }),
      onMicrophoneLost: () =>
        this.#notice.show({
          title: 'The microphone is gone',
          text: 'It was unplugged or taken away. You can still hear the assistant; hang up and call again to be heard.',
        }),
    };
  }

  get #elapsedMs() {
    return this.#startedAt === 0 ? 0 : performance.now() - this.#startedAt;
  }

  /** @param {CallEnd} [end] */
  #ended(end) {
    this.#call = undefined;
    this.#setPhase('ended');
    const explanation = end && explainEnd(end);
    if (explanation) this.#notice.show(explanation);
    setTimeout(() => this.#fetchMetrics(), METRICS_DELAY_MS);
  }

  /** @param {CallPhase | 'idle' | 'opening'} phase */
  #setPhase(phase) {
    const inCall = ['connecting', 'live', 'reconnecting'].includes(phase);
    if (phase === 'live' && this.#phase !== 'reconnecting') this.#begin();
    this.#phase = phase;
    this.#workspace.dataset.phase = phase;
    this.#status.textContent = statusText(phase);
    this.#callButton.dataset.does = inCall ? 'hang-up' : 'call';
    const label = inCall ? 'Hang up' : 'Call';
    /** @type {HTMLElement} */ (this.#callButton.querySelector('.label')).textContent = label;
    this.#callButton.setAttribute('aria-disabled', String(phase === 'opening'));
    this.#select.disabled = inCall || phase === 'opening';
    this.#muteButton.disabled = !inCall;
    if (inCall || phase === 'opening') return;
    clearInterval(this.#ticking);
    this.#score.stop();
    this.#setMuted(false);
    this.#showStates('–', '–');
  }

  #begin() {
    this.#startedAt = performance.now();
    this.#score.start();
    clearInterval(this.#ticking);
    const tick = () => {
      this.#duration.textContent = clockText(this.#elapsedMs);
    };
    this.#ticking = setInterval(tick, 500);
    tick();
  }

  /** @param {boolean} muted */
  #setMuted(muted) {
    this.#muted = muted;
    this.#call?.setMuted(muted);
    this.#muteButton.setAttribute('aria-pressed', String(muted));
    this.#workspace.dataset.muted = String(muted);
  }

  /**
   * @param {string} user
   * @param {string} assistant
   */
  #showStates(user, assistant) {
    this.#userState.textContent = user;
    this.#userState.dataset.state = user;
    this.#assistantState.textContent = assistant;
    this.#assistantState.dataset.state = assistant;
  }

  async #fetchMetrics() {
    const callId = this.#callId;
    if (!this.#api || callId === '') return;
    try {
      const { metrics } = await this.#api.getCall(callId);
      if (callId === this.#callId) this.#turns.explain(metrics);
    } catch {
      // The measures taken here stand without them.
    }
  }
}

/** @param {CallPhase | 'idle' | 'opening'} phase */
function statusText(phase) {
  switch (phase) {
    case 'opening':
      return 'Opening the microphone';
    case 'connecting':
      return 'Connecting';
    case 'live':
      return 'In call';
    case 'reconnecting':
      return 'Connection lost, coming back';
    case 'ended':
      return 'Call ended';
    default:
      return IDLE_TEXT;
  }
}
