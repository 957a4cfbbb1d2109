import { signal } from '@preact/signals';
import type { PlaybackCommand } from '../../web-client/playback-processor.ts';
import type { LiveFeed } from './live-feed.ts';

/** Audio buffered ahead, so that late chunks leave no gap. */
const AHEAD_SECONDS = 0.2;

/** Plays both sides of a live call. */
export class ListenIn {
  readonly on = signal(false);
  readonly #feed: LiveFeed;
  #context: AudioContext | undefined;
  #node: AudioWorkletNode | undefined;

  constructor(feed: LiveFeed) {
    this.#feed = feed;
  }

  /** Must be called from a click, because browsers block sound otherwise. Rejects if audio cannot be played. */
  async start(): Promise<void> {
    if (this.on.value) return;
    this.on.value = true;
    const context = new AudioContext({ latencyHint: 'interactive' });
    this.#context = context;
    try {
      await context.audioWorklet.addModule(new URL('playback-processor.js', import.meta.url));
      await context.resume();
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.#feed.onSound = (pcm, rateHz) => this.#play(pcm, rateHz);
  }

  async stop(): Promise<void> {
    this.on.value = false;
    this.#feed.onSound = undefined;
    this.#node?.disconnect();
    this.#node = undefined;
    const context = this.#context;
    this.#context = undefined;
    if (context && context.state !== 'closed') await context.close();
  }

  #play(interleaved: Int16Array, wireHz: number): void {
    const context = this.#context;
    if (!context) return;
    if (!this.#node) {
      this.#node = new AudioWorkletNode(context, 'playback', {
        numberOfInputs: 0,
        outputChannelCount: [1],
        processorOptions: { wireHz },
      });
      this.#node.connect(context.destination);
      this.#tell(new Int16Array(Math.round(wireHz * AHEAD_SECONDS)));
    }
    this.#tell(mixed(interleaved));
  }

  #tell(pcm: Int16Array<ArrayBuffer>): void {
    const command: PlaybackCommand = { type: 'audio', pcm: pcm.buffer };
    this.#node?.port.postMessage(command, [pcm.buffer]);
  }
}

/** Mixes both voices into one channel. They are clipped instead of attenuated, because they seldom overlap. */
function mixed(interleaved: Int16Array): Int16Array<ArrayBuffer> {
  const mono = new Int16Array(interleaved.length >> 1);
  for (let i = 0; i < mono.length; i++) {
    const sum = (interleaved[2 * i] as number) + (interleaved[2 * i + 1] as number);
    mono[i] = Math.max(-32_768, Math.min(32_767, sum));
  }
  return mono;
}
