import { setImmediate } from 'node:timers';
import type { ModelReply, ModelRequest } from './messages.ts';
import type { Recognition, RecognitionOptions } from './recognition.ts';
import type { Sherpa } from './sherpa-module.ts';
import { StreamingRecognition } from './streaming-recognition.ts';
import { WholeUtteranceRecognition } from './whole-utterance-recognition.ts';

/**
 * Runs recognition for all callers, one step at a time, so that new requests can change the priorities between steps.
 */
export class RecognitionWorker {
  readonly #recognition: Recognition;
  #working = false;

  constructor(sherpa: Sherpa, options: RecognitionOptions, reply: (message: ModelReply) => void) {
    this.#recognition = options.model.streaming
      ? new StreamingRecognition(sherpa, options, reply)
      : new WholeUtteranceRecognition(sherpa, options, reply);
  }

  serve(request: Extract<ModelRequest, { type: 'hear' | 'audio' | 'utterance-end' }>): void {
    if (request.type === 'hear') this.#recognition.open(request);
    else if (request.type === 'audio') this.#recognition.audio(request.id, toFloat(request.pcm));
    else this.#recognition.end(request.id, request.utterance);
    if (this.#working) return;
    this.#working = true;
    setImmediate(() => this.#work());
  }

  forget(id: number): void {
    this.#recognition.close(id);
  }

  #work(): void {
    if (this.#recognition.step()) setImmediate(() => this.#work());
    else this.#working = false;
  }
}

function toFloat(pcm: Int16Array): Float32Array {
  const samples = new Float32Array(pcm.length);
  for (let i = 0; i < pcm.length; i++) samples[i] = (pcm[i] as number) / 32_768;
  return samples;
}
