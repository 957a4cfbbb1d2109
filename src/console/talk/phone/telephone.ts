import { computed, signal } from '@preact/signals';
import type { TurnMetrics } from '../../../client/api.generated.ts';
import type { Client } from '../../../client/client.ts';
import { AudioEngine } from '../../../web-client/audio-engine.ts';
import { answeredTurns } from '../../calls/turn-parts.ts';
import { leaveIfRefused } from '../../session.ts';
import { type Explanation, explainError, insecurePage } from '../explain.ts';
import { type Line, TranscriptModel } from '../transcript-model.ts';
import { followCall } from './follow-call.ts';
import { type HandsetEvent, HandsetSocket } from './handset-socket.ts';
import { startRinging } from './ring-tone.ts';

/** Key in local storage: the phone keeps its number across visits. */
const STORED = 'parley.telephone';
const METRICS_DELAY_MS = 1500;

const MICROPHONE_GONE: Explanation = {
  title: 'Microphone disconnected',
  text: 'It was disconnected. Switch the telephone on again to be heard.',
};
const CONNECTION_LOST: Explanation = {
  title: 'The telephone is off',
  text: 'The connection to the service was lost and did not come back. Switch the telephone on again.',
};

export type TelephoneState =
  | { readonly kind: 'off' | 'opening' | 'idle' }
  | { readonly kind: 'dialling'; readonly to: string }
  | { readonly kind: 'ringing'; readonly from: string }
  | { readonly kind: 'talking'; readonly peer: string };

interface Text {
  readonly id: number;
  readonly from: 'user' | 'assistant';
  readonly text: string;
}

/** A phone of the built-in carrier in this page, and the state of its calls. */
export class Telephone {
  readonly state = signal<TelephoneState>({ kind: 'off' });
  readonly number = signal<string>();
  readonly callId = signal<string>();
  readonly lines = signal<readonly Line[]>([]);
  readonly texts = signal<readonly Text[]>([]);
  readonly answers = signal<readonly TurnMetrics[]>([]);
  readonly states = signal({ user: '–', assistant: '–' });
  readonly muted = signal(false);
  readonly notice = signal<Explanation>();
  readonly startedAt = signal<number>();
  /** End reason of the last call, as given by the carrier. */
  readonly ended = signal<string>();
  /** The connection broke and is being restored. */
  readonly returning = signal(false);
  readonly isOn = computed(() => !['off', 'opening'].includes(this.state.value.kind));
  readonly talking = computed(() => this.state.value.kind === 'talking');
  onLevels: (levels: { readonly user?: number; readonly assistant?: number }) => void = () => {};
  readonly #client: Client;
  #engine: AudioEngine | undefined;
  #socket: HandsetSocket | undefined;
  #stopRinging: (() => void) | undefined;
  #following: AbortController | undefined;
  #model = new TranscriptModel();
  #disposed = false;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Switches the phone on; it can then call and be called. */
  async switchOn(): Promise<void> {
    if (this.state.value.kind !== 'off') return;
    if (!navigator.mediaDevices) {
      this.notice.value = insecurePage;
      return;
    }
    this.notice.value = undefined;
    this.state.value = { kind: 'opening' };
    try {
      const engine = await AudioEngine.open(
        {
          onCaptured: ({ pcm, db }) => {
            if (this.talking.value) this.onLevels({ user: db });
            this.#socket?.sendAudio(pcm);
          },
          onPlayback: (report) => {
            if (report.type === 'level') this.onLevels({ assistant: report.db });
          },
          onMicrophoneLost: () => this.#fail(MICROPHONE_GONE),
        },
        { microphone: true },
      );
      this.#engine = engine;
      const url = await this.#fetchAddress();
      if (this.#disposed) return this.switchOff();
      const socket: HandsetSocket = new HandsetSocket(url, engine.wireHz, {
        onEvent: (event) => this.#take(event),
        onAudio: (pcm) => engine.play(pcm),
        onLost: () => {
          this.returning.value = true;
        },
        // When the phone is switched off on purpose, `#socket` is already cleared.
        onClosed: () => this.#socket === socket && this.#fail(CONNECTION_LOST),
      });
      this.#socket = socket;
    } catch (error) {
      this.switchOff();
      leaveIfRefused(error);
      this.notice.value = explainError(error);
    }
  }

  switchOff(): void {
    this.#socket?.close();
    this.#socket = undefined;
    void this.#engine?.close();
    this.#engine = undefined;
    this.#endCall();
    this.returning.value = false;
    this.state.value = { kind: 'off' };
  }

  dispose(): void {
    this.#disposed = true;
    this.switchOff();
  }

  dial(to: string): void {
    this.notice.value = undefined;
    this.#socket?.send({ type: 'call', to });
  }

  answer(): void {
    this.#socket?.send({ type: 'answer' });
  }

  hangUp(): void {
    this.#socket?.send({ type: this.state.value.kind === 'ringing' ? 'decline' : 'hangup' });
  }

  pressKey(digit: string): void {
    this.#socket?.send({ type: 'dtmf', digit });
  }

  sendText(to: string, text: string): void {
    this.#socket?.send({ type: 'sms', to, text });
    this.#addText('user', text);
  }

  setMuted(muted: boolean): void {
    this.muted.value = muted;
    this.#engine?.setMuted(muted);
  }

  #fail(why: Explanation): void {
    // A message from the carrier is more specific.
    const earlier = this.notice.value;
    this.switchOff();
    this.notice.value = earlier ?? why;
  }

  async #fetchAddress(): Promise<URL> {
    const stored = localStorage.getItem(STORED);
    const handset = await this.#client.call('createHandset', {
      body: stored === null ? {} : { number: stored },
    });
    localStorage.setItem(STORED, handset.number);
    const url = new URL(new URL(handset.url).pathname, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return url;
  }

  #take(event: HandsetEvent): void {
    switch (event.type) {
      case 'ready':
        this.number.value = event.number;
        this.returning.value = false;
        if (event.inCall) return;
        // The call that it had did not outlive the connection.
        if (this.isOn.value && this.state.value.kind !== 'idle') this.#over('lost');
        else this.state.value = { kind: 'idle' };
        return;
      case 'dialling':
        this.#forget();
        this.state.value = { kind: 'dialling', to: event.to };
        return;
      case 'ringing':
        this.#forget();
        this.state.value = { kind: 'ringing', from: event.from };
        this.#stopRinging ??= startRinging();
        return;
      case 'answered':
        this.#beginCall(event);
        return;
      case 'ended':
        this.#over(event.reason);
        return;
      case 'sms':
        this.#addText('assistant', event.text);
        return;
      case 'refused':
      case 'error':
        this.notice.value = { title: 'The carrier says', text: event.message };
        return;
    }
  }

  /** Called again when the call goes on after the connection broke. */
  #beginCall({ peer, callId }: Extract<HandsetEvent, { type: 'answered' }>): void {
    this.#silenceRing();
    if (!this.talking.value) this.startedAt.value = performance.now();
    this.state.value = { kind: 'talking', peer };
    this.callId.value = callId;
    this.#following?.abort();
    if (callId === undefined) return;
    this.#following = new AbortController();
    const shown = {
      onTranscript: (said: Parameters<TranscriptModel['add']>[0]) => {
        this.#model.add(said, performance.now() - (this.startedAt.value ?? 0));
        this.lines.value = this.#model.lines;
        if (said.role === 'assistant' && said.final)
          setTimeout(() => this.#fetchMetrics(callId), METRICS_DELAY_MS);
      },
      onState: ({ user, assistant }: { readonly user: string; readonly assistant: string }) => {
        this.states.value = { user, assistant };
      },
    };
    followCall(this.#client, callId, shown, this.#following.signal).catch(() => {
      // The call goes on without a transcript; the call's page shows it afterwards.
    });
  }

  #over(reason: string): void {
    this.#endCall();
    this.ended.value = reason;
    this.state.value = { kind: 'idle' };
  }

  #endCall(): void {
    const id = this.callId.value;
    this.#silenceRing();
    this.#engine?.clear();
    this.#following?.abort();
    this.#following = undefined;
    this.states.value = { user: '–', assistant: '–' };
    this.setMuted(false);
    if (id !== undefined) setTimeout(() => this.#fetchMetrics(id), METRICS_DELAY_MS);
  }

  #silenceRing(): void {
    this.#stopRinging?.();
    this.#stopRinging = undefined;
  }

  #forget(): void {
    this.#model = new TranscriptModel();
    this.lines.value = [];
    this.answers.value = [];
    this.callId.value = undefined;
    this.startedAt.value = undefined;
    this.ended.value = undefined;
    this.notice.value = undefined;
  }

  #addText(from: Text['from'], text: string): void {
    const { value } = this.texts;
    this.texts.value = [...value, { id: value.length, from, text }];
  }

  async #fetchMetrics(id: string): Promise<void> {
    if (this.#disposed) return;
    try {
      const { metrics } = await this.#client.call('getCall', { path: { id } });
      if (id === this.callId.value) this.answers.value = answeredTurns(metrics);
    } catch {
      // No metrics here then; the call's page shows them.
    }
  }
}
