import { FarEndPlayer } from '../../carriers/emulator/far-end-player.ts';
import { Microphone } from '../../carriers/emulator/microphone.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LegSink, MediaLeg } from '../../ports/media.ts';
import type { Caller, CallerEnd } from './caller.ts';
import type { CallFrame } from './floor.ts';
import type { Room } from './rooms.ts';

interface Options {
  readonly clock: Clock;
  readonly callId: string;
  readonly sampleRateHz: number;
  readonly room?: Room;
  readonly onFrame: (frame: CallFrame) => void;
}

/** As a client on the web. */
const BUFFER_MS = 20;
const CLEARED_AFTER_MS = 1;

/** A caller with microphone and loudspeaker on the clock of the call, and nothing between the two. */
export class SteadyCaller implements Caller {
  readonly callId: string;
  readonly sampleRateHz: number;
  /** The call's end of the line. */
  readonly leg: MediaLeg;
  readonly #options: Options;
  readonly #player: FarEndPlayer;
  readonly #startedAtMs: number;
  readonly #ended = Promise.withResolvers<CallerEnd>();
  #microphone: Microphone | undefined;
  #sink: LegSink | undefined;

  constructor(options: Options) {
    const { clock, callId, sampleRateHz, onFrame } = options;
    this.#options = options;
    this.callId = callId;
    this.sampleRateHz = sampleRateHz;
    this.#startedAtMs = clock.now();
    const player = new FarEndPlayer({
      ...{ clock, sampleRateHz, startedAtMs: this.#startedAtMs, bufferMs: BUFFER_MS },
      onMark: (mark) => this.#sink?.mark(mark),
    });
    this.#player = player;
    this.leg = {
      sampleRateHz,
      bufferedBytes: 0,
      send: (pcm) => player.add(pcm),
      mark: (name) => player.mark(name),
      clear: () => {
        const playedMs = player.clear();
        clock.setTimeout(() => this.#sink?.cleared(playedMs), CLEARED_AFTER_MS);
      },
      notify: (notice) => onFrame(notice),
      end: (reason) => {
        onFrame({ type: 'ended' });
        this.#microphone?.close();
        this.#ended.resolve({ reason });
      },
      moved: () => undefined,
    };
  }

  /** The call was answered: the caller is heard from now on. */
  answered(sink: LegSink): void {
    this.#sink = sink;
    const { clock, sampleRateHz, room } = this.#options;
    const { track } = this.#player;
    this.#microphone = new Microphone({
      ...{ clock, sampleRateHz, startedAtMs: this.#startedAtMs },
      ...(room ? { room: (frame, fromSample) => room(frame, fromSample, track) } : {}),
      onFrame: (frame) => sink.audio(frame),
    });
  }

  get ended(): Promise<CallerEnd> {
    return this.#ended.promise;
  }

  get elapsedMs(): number {
    return this.#options.clock.now() - this.#startedAtMs;
  }

  get tracks(): Caller['tracks'] {
    return { microphone: this.#mic.track, speaker: this.#player.track };
  }

  say(pcm: Int16Array): { readonly fromMs: number; readonly spoken: Promise<void> } {
    const { fromSample, spoken } = this.#mic.say(pcm);
    return { fromMs: (fromSample * 1000) / this.sampleRateHz, spoken };
  }

  dtmf(digit: string): void {
    this.#sink?.dtmf(digit);
  }

  hangup(): void {
    this.#sink?.hangup();
  }

  close(): void {
    this.#microphone?.close();
    this.#player.close();
  }

  get #mic(): Microphone {
    if (!this.#microphone) throw new Error('the call was not answered');
    return this.#microphone;
  }
}
