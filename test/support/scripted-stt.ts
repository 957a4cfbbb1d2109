import type { Stt, SttOptions, SttStream } from '../../src/ports/stt.ts';

/** One opened line of the scripted recogniser: the test says what it hears. */
export class ScriptedSttStream implements SttStream {
  readonly droppedMs = 0;
  readonly options: SttOptions;
  writtenMs = 0;
  closed = false;
  edges: string[] = [];
  #segment = 1;

  constructor(options: SttOptions) {
    this.options = options;
  }

  write(pcm: Int16Array): void {
    this.writtenMs += (pcm.length * 1000) / this.options.sampleRateHz;
  }

  speechStarted(): void {
    this.edges.push('started');
  }

  speechEnded(): void {
    this.edges.push('ended');
  }

  flush(): void {
    this.edges.push('flushed');
  }

  interim(text: string): void {
    this.#emit('interim', text);
  }

  final(text: string): void {
    this.#emit('final', text);
    this.#segment++;
  }

  close(): void {
    this.closed = true;
  }

  #emit(type: 'interim' | 'final', text: string): void {
    this.options.onEvent({
      type,
      segmentId: `s${this.#segment}`,
      text,
      startMs: Math.max(0, this.writtenMs - 1000),
      endMs: this.writtenMs,
      confidence: 1,
    });
  }
}

/** A recogniser that hears what the test tells it to. */
export class ScriptedStt implements Stt {
  readonly provider = 'scripted';
  readonly inputRatesHz = [16_000];
  readonly finalLatencyP99Ms = 100;
  flushes = true;
  readonly streams: ScriptedSttStream[] = [];
  /** Openings that fail before one succeeds. */
  failures: Error[] = [];

  async open(options: SttOptions): Promise<SttStream> {
    const failure = this.failures.shift();
    if (failure) throw failure;
    const stream = new ScriptedSttStream(options);
    this.streams.push(stream);
    return stream;
  }

  /** The line that is open now. */
  get line(): ScriptedSttStream {
    const line = this.streams.at(-1);
    if (!line) throw new Error('the recogniser was never opened');
    return line;
  }
}
