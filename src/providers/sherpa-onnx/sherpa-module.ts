import { createRequire } from 'node:module';

export interface Waveform {
  readonly samples: Float32Array;
  readonly sampleRate: number;
}

export interface SherpaStream {
  acceptWaveform(waveform: Waveform): void;
  setOption(key: string, value: string): void;
}

export interface StreamingRecogniser {
  createStream(): SherpaStream;
  isReady(stream: SherpaStream): boolean;
  decodeStreams(streams: readonly SherpaStream[]): void;
  getResult(stream: SherpaStream): { readonly text: string };
  reset(stream: SherpaStream): void;
}

export interface WholeRecogniser {
  createStream(hotwords?: string): SherpaStream;
  decode(stream: SherpaStream): void;
  getResult(stream: SherpaStream): { readonly text: string };
}

export interface SherpaVoice {
  readonly sampleRate: number;
  readonly numSpeakers: number;
  generateAsync(request: {
    readonly text: string;
    readonly sid: number;
    readonly speed: number;
    readonly enableExternalBuffer: boolean;
    readonly onProgress: (part: { readonly samples: Float32Array }) => boolean;
  }): Promise<{ readonly samples: Float32Array }>;
}

type Config = Readonly<Record<string, unknown>>;

/** The parts of the package `sherpa-onnx-node` (1.13) used here. */
export interface Sherpa {
  readonly OnlineRecognizer: new (config: Config) => StreamingRecogniser;
  readonly OfflineRecognizer: new (config: Config) => WholeRecogniser;
  readonly OfflineTts: new (config: Config) => SherpaVoice;
}

/** The package is not shipped (its binary holds GPL code): operators who want local models install it. */
export function loadSherpa(): Sherpa {
  try {
    return createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new Error('local models need a package: npm install --no-save sherpa-onnx-node');
  }
}
