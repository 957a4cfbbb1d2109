import { computed, signal } from '@preact/signals';
import type { TurnMetrics } from '../../client/api.generated.ts';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/client.ts';
import type { CallEnd, Said } from '../../web-client/media-socket.ts';
import { type CallPhase, WebCall, type WebCallHandlers } from '../../web-client/web-call.ts';
import { readJournal } from '../calls/journal.ts';
import { answeredTurns } from '../calls/turn-parts.ts';
import { leaveIfRefused } from '../session.ts';
import { CallApi, type CallTarget } from './call-api.ts';
import { type Explanation, explainEnd, explainError, insecurePage } from './explain.ts';
import { type ModelExchange, modelExchanges } from './model-exchanges.ts';
import { type Line, TranscriptModel } from './transcript-model.ts';
import { unheardRest } from './unheard.ts';

/** Delay until the service has stored the metrics of a turn. */
const METRICS_DELAY_MS = 1200;

export type TalkPhase = CallPhase | 'idle' | 'opening';
export type TalkMode = 'voice' | 'text';

/** The page's current call and its state; reused from one call to the next. */
export class TalkCall {
  readonly phase = signal<TalkPhase>('idle');
  readonly callId = signal<string>();
  readonly lines = signal<readonly Line[]>([]);
  /** Metrics of the answered turns, from the service, as on the call's page. */
  readonly answers = signal<readonly TurnMetrics[]>([]);
  /** What the model was sent and answered; read only when {@link watchesModel} is set. */
  readonly exchanges = signal<readonly ModelExchange[]>([]);
  watchesModel = false;
  readonly states = signal({ user: '–', assistant: '–' });
  readonly muted = signal(false);
  readonly sound = signal(true);
  readonly forwarded = signal(false);
  readonly notice = signal<Explanation>();
  /** When the call was answered, on the `performance.now()` clock. */
  readonly startedAt = signal<number>();
  readonly inCall = computed(() =>
    ['connecting', 'live', 'reconnecting'].includes(this.phase.value),
  );
  /** Called many times a second. */
  onLevels: (levels: { readonly user?: number; readonly assistant?: number }) => void = () => {};
  readonly #client: Client;
  readonly #api: CallApi;
  #model = new TranscriptModel();
  #call: WebCall | undefined;
  #disposed = false;
  /** Texts typed before the call was answered. */
  #unsentTexts: string[] = [];

  constructor(client: Client) {
    this.#client = client;
    this.#api = new CallApi(client);
  }

  async start(target: CallTarget, mode: TalkMode): Promise<void> {
    if (this.phase.value === 'opening' || this.#call) return;
    if (mode === 'voice' && !navigator.mediaDevices) {
      this.notice.value = insecurePage;
      return;
    }
    this.#forget();
    this.phase.value = 'opening';
    try {
      const connect = (): Promise<URL> => this.#api.connect(target);
      const microphone = mode === 'voice';
      this.#call = await WebCall.start(connect, this.#handlers(), { microphone });
      this.#call.setSound(this.sound.value);
      if (this.#disposed) this.#call.hangUp();
      if (this.phase.value === 'opening') this.phase.value = 'connecting';
    } catch (error) {
      this.phase.value = 'idle';
      this.#unsentTexts = [];
      if (error instanceof ApiError && error.status === 401) leaveIfRefused(error);
      else this.notice.value = explainError(error);
    }
  }

  hangUp(): void {
    this.#call?.hangUp();
  }

  /** Ends the call, because it must not go on after the page is left. */
  dispose(): void {
    this.#disposed = true;
    this.hangUp();
  }

  setMuted(muted: boolean): void {
    this.muted.value = muted;
    this.#call?.setMuted(muted);
  }

  setSound(on: boolean): void {
    this.sound.value = on;
    this.#call?.setSound(on);
  }

  /** Sends typed text, or keeps it until the call is answered. */
  type(text: string): void {
    if (this.phase.value === 'live') this.#call?.sendText(text);
    else this.#unsentTexts.push(text);
  }

  pressKey(digit: string): void {
    this.#call?.pressKey(digit);
  }

  /** Controls the call through the API, as an operator would; rejects with the service's error. */
  async control(type: 'say' | 'add-message' | 'forward', message: string): Promise<void> {
    const id = this.callId.value;
    if (id === undefined) return;
    await this.#client.call('controlCall', { path: { id }, body: { type, message } });
  }

  #forget(): void {
    this.#model = new TranscriptModel();
    this.lines.value = [];
    this.answers.value = [];
    this.exchanges.value = [];
    this.callId.value = undefined;
    this.startedAt.value = undefined;
    this.notice.value = undefined;
    this.forwarded.value = false;
  }

  #handlers(): WebCallHandlers {
    return {
      onPhase: (phase, end) => (phase === 'ended' ? this.#ended(end) : this.#goTo(phase)),
      onCallId: (callId) => {
        this.callId.value = callId;
      },
      onTranscript: (said) => this.#show(said),
      onState: ({ user, assistant }) => {
        this.states.value = { user, assistant };
      },
      onStatus: (status) => {
        this.forwarded.value = status === 'forwarded';
      },
      onLevel: ({ role, db }) => this.onLevels({ [role]: db }),
      onSilenced: () => this.#model.silenced(),
      onSounded: () => this.#model.sounded(),
      onError: ({ message }) => {
        this.notice.value = { title: 'The service says', text: message };
      },
      onMicrophoneLost: () => {
        this.notice.value = {
          title: 'Microphone disconnected',
          text: 'You can still hear the assistant and type. To be heard, hang up and call again.',
        };
      },
    };
  }

  #goTo(phase: CallPhase): void {
    if (phase === 'live') this.startedAt.value ??= performance.now();
    this.phase.value = phase;
    if (phase === 'live')
      for (const text of this.#unsentTexts.splice(0)) this.#call?.sendText(text);
  }

  #show(said: Said): void {
    const startedAt = this.startedAt.value;
    const line = this.#model.add(said, startedAt === undefined ? 0 : performance.now() - startedAt);
    this.lines.value = this.#model.lines;
    if (line.cut) setTimeout(() => this.#fetchUnheard(line), METRICS_DELAY_MS);
    if (said.role === 'assistant' && said.final)
      setTimeout(() => this.#fetchMetrics(), METRICS_DELAY_MS);
  }

  #ended(end?: CallEnd): void {
    this.#call = undefined;
    this.#unsentTexts = [];
    this.phase.value = 'ended';
    this.states.value = { user: '–', assistant: '–' };
    this.muted.value = false;
    const explanation = end && explainEnd(end);
    if (explanation) this.notice.value = explanation;
    setTimeout(() => this.#fetchMetrics(), METRICS_DELAY_MS);
  }

  async #fetchMetrics(): Promise<void> {
    const id = this.callId.value;
    if (id === undefined || this.#disposed) return;
    if (this.watchesModel) void this.#fetchExchanges(id);
    try {
      const { metrics } = await this.#api.getCall(id);
      if (id === this.callId.value) this.answers.value = answeredTurns(metrics);
    } catch {
      // No metrics here then; the call's page shows them.
    }
  }

  async #fetchExchanges(id: string): Promise<void> {
    try {
      const { body } = await this.#client.open('getCallEvents', { path: { id } });
      const exchanges = modelExchanges(await readJournal(body));
      if (id === this.callId.value) this.exchanges.value = exchanges;
    } catch {
      // They come with the next answer then; the call's page has them too.
    }
  }

  async #fetchUnheard({ id: lineId, text }: Line): Promise<void> {
    const id = this.callId.value;
    if (id === undefined || this.#disposed) return;
    const model = this.#model;
    try {
      const log = await (await this.#client.open('getCallEvents', { path: { id } })).text();
      const rest = unheardRest(log, text);
      if (rest === undefined || model !== this.#model) return;
      model.addUnheard(lineId, rest);
      this.lines.value = model.lines;
    } catch {
      // The line stays marked as interrupted, without its unheard part.
    }
  }
}
