import type { ModelReply, ModelRequest } from './messages.ts';
import type { Sherpa, SherpaVoice } from './sherpa-module.ts';
import type { VoiceModel } from './voice-model.ts';

interface MouthOptions {
  readonly model: VoiceModel;
  readonly absolute: (file: string) => string;
  readonly threads: number;
}

type Speak = Extract<ModelRequest, { type: 'speak' }>;

/** Synthesises one utterance at a time and sends each sentence as soon as it is ready. */
export class SynthesisWorker {
  readonly #voice: SherpaVoice;
  readonly #reply: (message: ModelReply) => void;
  readonly #unwanted = new Set<number>();
  readonly #waiting: Speak[] = [];
  #current: number | undefined;

  constructor(
    sherpa: Sherpa,
    { model, absolute, threads }: MouthOptions,
    reply: (message: ModelReply) => void,
  ) {
    this.#reply = reply;
    const paths = Object.entries(model.paths).map(([key, file]) => [key, absolute(file)]);
    this.#voice = new sherpa.OfflineTts({
      model: {
        [model.family]: Object.fromEntries(paths),
        numThreads: threads,
        provider: 'cpu',
        debug: 0,
      },
      maxNumSentences: 1,
    });
  }

  async speak(request: Speak): Promise<void> {
    this.#waiting.push(request);
    if (this.#current !== undefined) return;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      this.#current = next.id;
      await this.#say(next);
      this.#unwanted.delete(next.id);
      this.#current = undefined;
    }
  }

  forget(id: number): void {
    const waiting = this.#waiting.findIndex((request) => request.id === id);
    if (waiting >= 0) this.#waiting.splice(waiting, 1);
    else if (this.#current === id) this.#unwanted.add(id);
  }

  async #say({ id, text, speaker, speed }: Speak): Promise<void> {
    const sampleRateHz = this.#voice.sampleRate;
    try {
      await this.#voice.generateAsync({
        text,
        sid: Math.min(speaker, this.#voice.numSpeakers - 1),
        speed,
        enableExternalBuffer: false,
        onProgress: ({ samples }) => {
          const wanted = !this.#unwanted.has(id);
          if (wanted) this.#reply({ type: 'spoken', id, pcm: toPcm16(samples), sampleRateHz });
          return wanted;
        },
      });
      this.#reply({ type: 'spoken-end', id });
    } catch (error) {
      this.#reply({ type: 'failed', id, message: (error as Error).message });
    }
  }
}

function toPcm16(samples: Float32Array): Int16Array {
  const pcm = new Int16Array(samples.length);
  for (let i = 0; i < pcm.length; i++) {
    const scaled = Math.round((samples[i] as number) * 32_767);
    pcm[i] = Math.max(-32_768, Math.min(32_767, scaled));
  }
  return pcm;
}
