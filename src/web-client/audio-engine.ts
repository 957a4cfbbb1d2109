import type { CapturedFrame } from './capture-processor.ts';
import type { PlaybackCommand, PlaybackReport } from './playback-processor.ts';

/** Rates of the media socket; one of them is the rate of the call. */
const WIRE_RATES_HZ = [8000, 16000, 24000, 48000];
const PREFERRED_HZ = 24000;

interface AudioHandlers {
  readonly onCaptured: (frame: CapturedFrame) => void;
  readonly onPlayback: (report: PlaybackReport) => void;
  readonly onMicrophoneLost: () => void;
}

export interface AudioOptions {
  /** Without one, there is silence in its place. */
  readonly microphone: boolean;
}

interface Opened {
  readonly context: AudioContext;
  /** The microphone; a silence of the same length where there is none. */
  readonly source: AudioNode;
  readonly stream: MediaStream | undefined;
}

/** Microphone and loudspeaker of one call, both on the audio thread. */
export class AudioEngine {
  readonly wireHz: number;
  readonly #opened: Opened;
  readonly #playback: AudioWorkletNode;
  readonly #loudness: GainNode;

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
    this.#playback.port.onmessage = ({ data }) => handlers.onPlayback(data);
    this.#loudness = new GainNode(context);
    this.#playback.connect(this.#loudness).connect(context.destination);
    source.connect(capture);
    for (const track of stream?.getAudioTracks() ?? [])
      track.onended = () => handlers.onMicrophoneLost();
  }

  /** Asks for the microphone, if one is wanted; rejects with the browser's own error when it is refused. */
  static async open(handlers: AudioHandlers, { microphone }: AudioOptions): Promise<AudioEngine> {
    const opened = microphone ? await openMicrophone() : openSilence();
    const { context } = opened;
    try {
      await Promise.all(
        ['capture-processor.js', 'playback-processor.js'].map((name) =>
          context.audioWorklet.addModule(new URL(name, import.meta.url)),
        ),
      );
      await context.resume();
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

  /** Marks the end of what was given to play; `ends`: speech pauses or ends there. */
  mark(name: string, ends = false): void {
    this.#tell({ type: 'mark', name, ends });
  }

  /** Silences at once; the report says how much had been played. */
  clear(): void {
    this.#tell({ type: 'clear' });
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
    // Some browsers take the microphone only at its own rate: then we resample.
    void context.close();
    const own = new AudioContext({ latencyHint: 'interactive' });
    return { context: own, source: own.createMediaStreamSource(stream) };
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
