import type { Clock } from '../../ports/clock.ts';
import type { Stt, SttEvent, SttOptions, SttStream } from '../../ports/stt.ts';
import type { VendorMeter, VendorName, VendorOutcome } from '../../ports/vendor-meter.ts';
import { outcomeOf } from './outcome.ts';

interface Options {
  readonly clock: Clock;
  readonly meter: VendorMeter;
}

/** Measures the latency of a recogniser's final texts and the length of its audio. */
export function createMeasuredStt(stt: Stt, options: Options): Stt {
  const name: VendorName = { kind: 'stt', vendor: stt.provider };
  return {
    ...stt,
    async open(request) {
      const tally = new Tally(name, request, options, stt.flushes ?? false);
      try {
        return tally.follow(await stt.open({ ...request, onEvent: (event) => tally.hear(event) }));
      } catch (error) {
        tally.end(outcomeOf(error, request.signal));
        throw error;
      }
    },
  };
}

/** The audio sent on one stream, and the times of its texts. */
class Tally {
  readonly #name: VendorName;
  readonly #request: SttOptions;
  readonly #options: Options;
  readonly #flushes: boolean;
  #samples = 0;
  #spokenAt: number | undefined;
  #ended = false;

  constructor(name: VendorName, request: SttOptions, options: Options, flushes: boolean) {
    this.#name = name;
    this.#request = request;
    this.#options = options;
    this.#flushes = flushes;
  }

  hear(event: SttEvent): void {
    if (event.type === 'final' && this.#spokenAt !== undefined) {
      this.#options.meter.latency(this.#name, this.#options.clock.now() - this.#spokenAt);
      this.#spokenAt = undefined;
    } else if (event.type === 'error') {
      this.end(event.error.class);
    }
    this.#request.onEvent(event);
  }

  follow(stream: SttStream): SttStream {
    const onAbort = (): void => this.end('cancelled');
    const { signal } = this.#request;
    signal.addEventListener('abort', onAbort, { once: true });
    return {
      get droppedMs() {
        return stream.droppedMs;
      },
      write: (pcm) => {
        this.#samples += pcm.length;
        stream.write(pcm);
      },
      speechStarted: () => {
        this.#spokenAt = undefined;
        stream.speechStarted();
      },
      speechEnded: () => {
        this.#spokenAt ??= this.#options.clock.now();
        stream.speechEnded();
      },
      flush: () => {
        // One that cannot is asked as well where it is the fallback of one that can.
        if (this.#flushes) this.#spokenAt = this.#options.clock.now();
        stream.flush();
      },
      close: () => {
        signal.removeEventListener('abort', onAbort);
        this.end('ok');
        stream.close();
      },
    };
  }

  end(outcome: VendorOutcome): void {
    if (this.#ended) return;
    this.#ended = true;
    const audioMs = Math.round((this.#samples / this.#request.sampleRateHz) * 1000);
    this.#options.meter.finished(this.#name, outcome, audioMs > 0 ? { audioMs } : {});
  }
}
