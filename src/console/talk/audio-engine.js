// @ts-check

/** Rates of the media socket; one of them is the rate of the call. */
const WIRE_RATES_HZ = [8000, 16000, 24000, 48000];
const PREFERRED_HZ = 24000;

/**
 * @typedef {import('./capture-processor.js').CapturedFrame} CapturedFrame
 * @typedef {import('./playback-processor.js').PlaybackReport} PlaybackReport
 * @typedef {object} AudioHandlers
 * @property {(frame: CapturedFrame) => void} onCaptured
 * @property {(report: PlaybackReport) => void} onPlayback
 * @property {() => void} onMicrophoneLost
 */

/** Microphone and loudspeaker of one call, both on the audio thread. */
export class AudioEngine {
  /** @type {AudioContext} */ #context;
  /** @type {MediaStream} */ #stream;
  /** @type {AudioWorkletNode} */ #playback;
  /** @type {AudioWorkletNode} */ #capture;
  /** @readonly @type {number} */ wireHz;

  /**
   * @param {AudioContext} context
   * @param {MediaStream} stream
   * @param {{ source: MediaStreamAudioSourceNode, wireHz: number, handlers: AudioHandlers }} parts
   */
  constructor(context, stream, { source, wireHz, handlers }) {
    this.#context = context;
    this.#stream = stream;
    this.wireHz = wireHz;
    const processorOptions = { wireHz };
    this.#capture = new AudioWorkletNode(context, 'capture', {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: 'explicit',
      processorOptions,
    });
    this.#capture.port.onmessage = ({ data }) => handlers.onCaptured(data);
    this.#playback = new AudioWorkletNode(context, 'playback', {
      numberOfInputs: 0,
      outputChannelCount: [1],
      processorOptions,
    });
    this.#playback.port.onmessage = ({ data }) => handlers.onPlayback(data);
    this.#playback.connect(context.destination);
    source.connect(this.#capture);
    for (const track of stream.getAudioTracks()) track.onended = () => handlers.onMicrophoneLost();
  }

  /**
   * Asks for the microphone; rejects with the browser's own error when it is refused.
   * @param {AudioHandlers} handlers
   */
  static async open(handlers) {
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: {
        echoCancellation: true,
        noiseSuppression: true,
        autoGainControl: true,
        channelCount: 1,
      },
    });
    try {
      const { context, source } = openContext(stream);
      await Promise.all(
        ['capture-processor.js', 'playback-processor.js'].map((name) =>
          context.audioWorklet.addModule(new URL(name, import.meta.url)),
        ),
      );
      await context.resume();
      const wireHz = WIRE_RATES_HZ.includes(context.sampleRate) ? context.sampleRate : PREFERRED_HZ;
      return new AudioEngine(context, stream, { source, wireHz, handlers });
    } catch (error) {
      stopTracks(stream);
      throw error;
    }
  }

  /** @param {ArrayBuffer} pcm */
  play(pcm) {
    this.#tell({ type: 'audio', pcm }, [pcm]);
  }

  /** @param {string} name */
  mark(name) {
    this.#tell({ type: 'mark', name });
  }

  /** Silences at once; the report says how much had been played. */
  clear() {
    this.#tell({ type: 'clear' });
  }

  /** @param {boolean} muted */
  setMuted(muted) {
    for (const track of this.#stream.getAudioTracks()) track.enabled = !muted;
  }

  async close() {
    stopTracks(this.#stream);
    if (this.#context.state !== 'closed') await this.#context.close();
  }

  /**
   * @param {import('./playback-processor.js').PlaybackCommand} command
   * @param {Transferable[]} [transfer]
   */
  #tell(command, transfer = []) {
    this.#playback.port.postMessage(command, transfer);
  }
}

/** @param {MediaStream} stream */
function openContext(stream) {
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

/** @param {MediaStream} stream */
function stopTracks(stream) {
  for (const track of stream.getTracks()) {
    track.onended = null;
    track.stop();
  }
}
