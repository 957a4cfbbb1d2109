import type { CapturedFrame } from './capture-processor.ts';
import type { PlaybackCommand, PlaybackReport } from './playback-processor.ts';

/** Sample rates of the media socket; the call uses one of them. */
const WIRE_RATES_HZ = [8000, 16000, 24000, 48000];
const PREFERRED_HZ = 24000;
/** For a machine that is busy. */
const BEGIN_MS = 10_000;

interface AudioHandlers {
  readonly onCaptured: (frame: CapturedFrame) => void;
  readonly onPlayback: (report: Exclude<PlaybackReport, { type: 'recounted' }>) => void;
  readonly onMicrophoneLost: () => void;
}

export interface AudioOptions {
  /** False sends silence instead of a microphone. */
  readonly microphone: boolean;
}

interface Opened {
  readonly context: AudioContext;
  /** The microphone, or a source of silence. */
  readonly source: AudioNode;
  readonly stream: MediaStream | undefined;
}

/** Microphone and loudspeaker of one call, both processed on the audio thread. */
export class AudioEngine {
  readonly wireHz: number;
  readonly #opened: Opened;
  readonly #playback: AudioWorkletNode;
  readonly #loudness: GainNode;
  #recounted = Promise.withResolvers<number>();

  private constructor(
    opened: Opened,
    processorOptions: { readonly wireHz: number },
    handlers: AudioHandlers,
  ) {
    const { context, source, stream } = opened;
    this.#opened = opened;
    this.wireHz = processorOptions.wireHz;
    const capture = new AudioWorkletNode(context, 'capture', {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: 'explicit',
      processorOptions,
    });
    capture.port.onmessage = ({ data }) => handlers.onCaptured(data);
    this.#playback = new AudioWorkletNode(context, 'playback', {
      numberOfInputs: 0,
      outputChannelCount: [1],
      processorOptions,
    });
    this.#playback.port.onmessage = ({ data }: MessageEvent<PlaybackReport>) => {
      if (data.type === 'recounted') this.#recounted.resolve(data.waitingMs);
      else handlers.onPlayback(data);
    };
    this.#loudness = new GainNode(context);
    this.#playback.connect(this.#loudness).connect(context.destination);
    source.connect(capture);
    for (const track of stream?.getAudioTracks() ?? [])
      track.onended = () => handlers.onMicrophoneLost();
  }

  /** Opens the microphone, if wanted; rejects with the browser's own error if access is denied. */
  static async open(handlers: AudioHandlers, { microphone }: AudioOptions): Promise<AudioEngine> {
    const opened = microphone ? await openMicrophone() : openSilence();
    const { context } = opened;
    try {
      // Bundlers find these files by exactly this form.
      await Promise.all([
        context.audioWorklet.addModule(new URL('./capture-processor.js', import.meta.url)),
        context.audioWorklet.addModule(new URL('./playback-processor.js', import.meta.url)),
      ]);
      await begun(context);
      const wireHz = WIRE_RATES_HZ.includes(context.sampleRate) ? context.sampleRate : PREFERRED_HZ;
      return new AudioEngine(opened, { wireHz }, handlers);
    } catch (error) {
      await release(opened);
      throw error;
    }
  }

  play(pcm: ArrayBuffer): void {
    this.#tell({ type: 'audio', pcm }, [pcm]);
  }

  /** Sets a mark after the audio given so far; `ends` says that speech pauses or ends there. */
  mark(name: string, ends = false): void {
    this.#tell({ type: 'mark', name, ends });
  }

  /** Stops playback at once; a `cleared` report says how much had been played. */
  clear(): void {
    this.#tell({ type: 'clear' });
  }

  /** Counts positions from now on and forgets all marks. Resolves with what is still to be played, ms. */
  recount(): Promise<number> {
    this.#recounted = Promise.withResolvers();
    this.#tell({ type: 'recount' });
    return this.#recounted.promise;
  }

  setMuted(muted: boolean): void {
    for (const track of this.#opened.stream?.getAudioTracks() ?? []) track.enabled = !muted;
  }

  setSound(on: boolean): void {
    this.#loudness.gain.value = on ? 1 : 0;
  }

  close(): Promise<void> {
    return release(this.#opened);
  }

  #tell(command: PlaybackCommand, transfer: Transferable[] = []): void {
    this.#playback.port.postMessage(command, transfer);
  }
}

async function openMicrophone(): Promise<Opened> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: {
      echoCancellation: true,
      noiseSuppression: true,
      autoGainControl: true,
      channelCount: 1,
    },
  });
  try {
    return { ...openContext(stream), stream };
  } catch (error) {
    stopTracks(stream);
    throw error;
  }
}

function openSilence(): Opened {
  const context = new AudioContext({ sampleRate: PREFERRED_HZ, latencyHint: 'interactive' });
  const source = new ConstantSourceNode(context, { offset: 0 });
  source.start();
  return { context, source, stream: undefined };
}

function openContext(stream: MediaStream): Pick<Opened, 'context' | 'source'> {
  const context = new AudioContext({ sampleRate: PREFERRED_HZ, latencyHint: 'interactive' });
  try {
    return { context, source: context.createMediaStreamSource(stream) };
  } catch {
    // Some browsers open the microphone only at its native rate; the worklet then resamples.
    void context.close();
    const own = new AudioContext({ latencyHint: 'interactive' });
    return { context: own, source: own.createMediaStreamSource(stream) };
  }
}

/** Resolves when sound is processed. Some browsers wait for ever where nothing can play it, instead of saying so. */
async function begun(context: AudioContext): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const message =
      'The browser plays no sound: connect a loudspeaker, and begin calls by a click.';
    reject(new DOMException(message, 'InvalidStateError'));
  }, BEGIN_MS);
  try {
    await Promise.race([context.resume(), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function release({ context, stream }: Opened): Promise<void> {
  if (stream) stopTracks(stream);
  if (context.state !== 'closed') await context.close();
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) {
    track.onended = null;
    track.stop();
  }
}
