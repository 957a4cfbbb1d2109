import { bytesFromPcm16, pcm16FromBytes } from '../audio/pcm16.ts';
import { createResampler, type Resampler } from '../audio/resampler.ts';
import type { WireFrame } from '../ports/carrier-media.ts';
import type { Clock } from '../ports/clock.ts';
import {
  type HandsetClientFrame,
  type HandsetServerFrame,
  parseHandsetFrame,
} from './handset-protocol.ts';
import { InboundMeter } from './inbound-meter.ts';
import {
  type CodecOutput,
  type ConnectionFault,
  type MediaCodec,
  MediaConnection,
} from './media-connection.ts';
import type { WebLimits } from './web-limits.ts';
import { checkAudioLength, faults } from './web-protocol.ts';

/** Sample rate of the telephone network. */
const LINE_HZ = 8000;

export interface HandsetStarted {
  /** Rate of the browser's audio. */
  readonly sampleRateHz: number;
}

export type HandsetEvent = Exclude<HandsetClientFrame, { type: 'start' }>;

interface Stream {
  readonly meter: InboundMeter;
  readonly inbound: Resampler;
  readonly outbound: Resampler;
}

interface CodecOptions {
  /** @defaultValue false */
  readonly isWideband?: boolean;
}

/**
 * Codec of a browser that acts as a telephone: PCM16 in binary frames at the browser's rate, resampled to 8 kHz here;
 * JSON in text frames.
 */
export class HandsetCodec implements MediaCodec<HandsetStarted, HandsetEvent, HandsetServerFrame> {
  readonly faults = faults;
  readonly #limits: WebLimits;
  /** A busy process may read `start` late, and with it all that was said since the client could speak. */
  readonly #openedAt: number;
  readonly #isWideband: boolean;
  /** Undefined until `start` has arrived. */
  #stream: Stream | undefined;

  /** Wideband: the browser's own rate stays. */
  constructor(limits: WebLimits, openedAt: number, { isWideband = false }: CodecOptions = {}) {
    this.#limits = limits;
    this.#openedAt = openedAt;
    this.#isWideband = isWideband;
  }

  read(
    data: Buffer,
    isBinary: boolean,
    now: number,
    output: CodecOutput<HandsetStarted, HandsetEvent>,
  ): ConnectionFault | undefined {
    const stream = this.#stream;
    if (!stream) return this.#readStart(data, isBinary, output);
    const fault =
      (isBinary ? checkAudioLength(data.byteLength) : undefined) ??
      stream.meter.count(isBinary ? data.byteLength : 0, now);
    if (fault) return fault;
    if (isBinary) {
      if (data.byteLength > 0) output.audio(stream.inbound.process(pcm16FromBytes(data)));
      return undefined;
    }
    const parsed = parseHandsetFrame(data.toString());
    if (!parsed.ok) return parsed.fault;
    if (parsed.value.type === 'start') return faults.startTwice;
    output.event(parsed.value);
    return undefined;
  }

  countControl(now: number): ConnectionFault | undefined {
    return this.#stream?.meter.count(0, now);
  }

  encodeAudio(pcm: Int16Array): readonly WireFrame[] {
    return this.#stream ? [bytesFromPcm16(this.#stream.outbound.process(pcm))] : [];
  }

  encode(frame: HandsetServerFrame): readonly WireFrame[] {
    return [JSON.stringify(frame)];
  }

  encodeFault({ code, message }: ConnectionFault): WireFrame {
    return JSON.stringify({ type: 'error', code, message } satisfies HandsetServerFrame);
  }

  release(): void {
    this.#stream?.inbound.close();
    this.#stream?.outbound.close();
    this.#stream = undefined;
  }

  #readStart(
    data: Buffer,
    isBinary: boolean,
    output: CodecOutput<HandsetStarted, HandsetEvent>,
  ): ConnectionFault | undefined {
    const parsed = isBinary ? undefined : parseHandsetFrame(data.toString());
    if (parsed && !parsed.ok) return parsed.fault;
    if (parsed?.value.type !== 'start') return faults.startExpected;
    const { sampleRateHz } = parsed.value;
    const lineHz = this.#isWideband ? sampleRateHz : LINE_HZ;
    this.#stream = {
      meter: new InboundMeter(this.#limits, sampleRateHz, this.#openedAt),
      inbound: createResampler(sampleRateHz, lineHz),
      outbound: createResampler(lineHz, sampleRateHz),
    };
    output.started({ sampleRateHz });
    return undefined;
  }
}

export type HandsetConnection = MediaConnection<
  HandsetCodec,
  HandsetStarted,
  HandsetEvent,
  HandsetServerFrame
>;

export function createHandsetConnection(
  socket: ConstructorParameters<typeof MediaConnection>[0],
  { clock, limits }: { readonly clock: Clock; readonly limits: WebLimits },
  options: CodecOptions = {},
): HandsetConnection {
  return new MediaConnection(socket, new HandsetCodec(limits, clock.now(), options), {
    clock,
    limits: { ...limits, pingAfterMs: limits.pingEveryMs, deadAfterMs: limits.silentMs },
  });
}
