import { throwIfAborted } from '../../lib/abort.ts';
import { PartQueue } from '../../lib/part-queue.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import type { Tts, TtsPart, TtsRequest } from '../../ports/tts.ts';
import { ModelHost, modelFailure, PROVIDER } from './model-host.ts';

export interface SherpaTtsOptions {
  readonly clock: Clock;
  readonly dir: string;
  readonly threads: number;
}

export interface SherpaTts extends Tts {
  /** Loads the voice ahead of the first call; rejects with ProviderError. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Time for one sentence of a slow voice, including those queued before it. */
const STALL_MS = 10_000;

/** A voice on this machine: a sherpa-onnx model folder in a separate process, shared by all calls. No word times. */
export function createSherpaTts(options: SherpaTtsOptions): SherpaTts {
  const { clock, dir, threads } = options;
  const host = new ModelHost({ clock, load: { type: 'load-voice', dir, threads } });
  return {
    provider: PROVIDER,
    synthesize: (request) => synthesize(host, clock, request),
    async start() {
      await host.start(new AbortController().signal);
    },
    close: () => host.close(),
  };
}

/** The voices of a model are numbered. */
function speakerOf(voice: string | undefined): number {
  const speaker = Number(voice ?? 0);
  return Number.isInteger(speaker) && speaker >= 0 ? speaker : 0;
}

async function* synthesize(
  host: ModelHost,
  clock: Clock,
  request: TtsRequest,
): AsyncGenerator<TtsPart, void, undefined> {
  const { text, signal, voice, settings } = request;
  throwIfAborted(signal);
  if (!/[\p{L}\p{N}]/u.test(text)) return;
  await host.start(signal);
  const parts = new PartQueue<TtsPart>();
  let timer: Timer;
  const expect = (): void => {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(
      () => parts.fail(modelFailure('timeout', 'stalled', `spoke nothing for ${STALL_MS} ms`)),
      STALL_MS,
    );
  };
  let sounded = false;
  const id = host.join((reply) => {
    expect();
    if (reply instanceof Error) parts.fail(reply);
    else if (reply.type === 'spoken') {
      sounded ||= reply.pcm.length > 0;
      parts.push({ type: 'audio', pcm: reply.pcm, sampleRateHz: reply.sampleRateHz });
    } else if (reply.type === 'spoken-end') {
      if (sounded) parts.end();
      else parts.fail(modelFailure('silent', 'no_audio', 'answered without any audio'));
    }
  });
  try {
    expect();
    const speed = typeof settings?.speed === 'number' ? settings.speed : 1;
    host.send({ type: 'speak', id, text, speaker: speakerOf(voice), speed });
    yield* parts.read(signal);
  } finally {
    clock.clearTimeout(timer);
    host.leave(id);
  }
}
