import { signal } from '@preact/signals';
import type { Client } from '../../client/client.ts';
import { AudioEngine } from '../../web-client/audio-engine.ts';
import { type Explanation, explainError, insecurePage } from '../talk/explain.ts';

export type TakeOverState = 'off' | 'opening' | 'speaking';

type Frame =
  | { readonly type: 'taken-over' }
  | { readonly type: 'ended'; readonly reason: string }
  | { readonly type: 'error'; readonly message: string };

const READY_MS = 15_000;
const MAX_UNSENT_BYTES = 96_000;
const LOST: Explanation = {
  title: 'The connection was lost',
  text: 'The assistant speaks with the caller again. Take over once more to be heard.',
};
const MICROPHONE_GONE: Explanation = {
  title: 'Microphone disconnected',
  text: 'The assistant speaks with the caller again. Connect the microphone and take over once more.',
};

/** Speaks with the caller of a live call by this browser's microphone. Closing the page gives the call back. */
export class TakeOver {
  readonly state = signal<TakeOverState>('off');
  readonly notice = signal<Explanation>();
  readonly #client: Client;
  readonly #callId: string;
  #engine: AudioEngine | undefined;
  #socket: WebSocket | undefined;
  #isClosed = false;

  constructor(client: Client, callId: string) {
    this.#client = client;
    this.#callId = callId;
  }

  /** Must be called from a click, because browsers block sound otherwise. */
  async start(): Promise<void> {
    if (this.state.value !== 'off') return;
    if (!navigator.mediaDevices) {
      this.notice.value = insecurePage;
      return;
    }
    this.notice.value = undefined;
    this.state.value = 'opening';
    try {
      const engine = await AudioEngine.open(
        {
          onCaptured: ({ pcm }) => this.#send(pcm),
          onPlayback: () => undefined,
          onMicrophoneLost: () => this.#fail(MICROPHONE_GONE),
        },
        { microphone: true },
      );
      this.#engine = engine;
      const { url } = await this.#client.call('takeOverCall', { path: { id: this.#callId } });
      if (this.#isClosed) return this.giveBack();
      this.#open(url, engine);
    } catch (error) {
      this.giveBack();
      this.notice.value = explainError(error);
    }
  }

  giveBack(): void {
    this.#socket?.close();
    this.#socket = undefined;
    void this.#engine?.close();
    this.#engine = undefined;
    this.state.value = 'off';
  }

  close(): void {
    this.#isClosed = true;
    this.giveBack();
  }

  #open(address: string, engine: AudioEngine): void {
    const url = new URL(new URL(address).pathname, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    const late = setTimeout(() => socket.close(), READY_MS);
    socket.onopen = () => socket.send(JSON.stringify({ type: 'start', sampleRate: engine.wireHz }));
    socket.onmessage = ({ data }) => {
      if (typeof data !== 'string') {
        engine.play(data);
        return;
      }
      const frame = JSON.parse(data) as Frame;
      if (frame.type === 'taken-over') {
        clearTimeout(late);
        this.state.value = 'speaking';
      } else if (frame.type === 'error')
        this.#fail({ title: 'The call was not taken over', text: `${frame.message}.` });
      else this.giveBack();
    };
    // When the call is given back on purpose, `#socket` is already cleared.
    socket.onclose = () => {
      clearTimeout(late);
      if (this.#socket === socket) this.#fail(LOST);
    };
  }

  #send(pcm: ArrayBuffer): void {
    const socket = this.#socket;
    if (this.state.value !== 'speaking' || !socket) return;
    if (socket.bufferedAmount < MAX_UNSENT_BYTES) socket.send(pcm);
  }

  #fail(why: Explanation): void {
    this.giveBack();
    this.notice.value = why;
  }
}
