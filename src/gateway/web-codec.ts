import { bytesFromPcm16, pcm16FromBytes } from '../audio/pcm16.ts';
import type { WireFrame } from '../ports/carrier-media.ts';
import type { Clock } from '../ports/clock.ts';
import { InboundMeter } from './inbound-meter.ts';
import {
  type CodecOutput,
  type ConnectionFault,
  type MediaCodec,
  MediaConnection,
} from './media-connection.ts';
import type { WebLimits } from './web-limits.ts';
import {
  checkAudioLength,
  faults,
  parseClientFrame,
  serializeServerFrame,
  type WebClientFrame,
  type WebCommand,
} from './web-protocol.ts';

export interface WebStarted {
  readonly sampleRateHz: number;
  /** What the client still has to play; undefined if it drops that when its call moves to another process. */
  readonly bufferedMs?: number;
}

export type WebEvent = Exclude<WebClientFrame, { type: 'start' }>;

/** A codec of a client of a web call. */
export interface WebClientCodec extends MediaCodec<WebStarted, WebEvent, WebCommand> {
  /** The client resumes and may send the audio that it held back for this long. */
  expectHeld(heldMs: number): void;
}

/** Codec of the web media socket: PCM16 in binary frames, JSON in text frames. */
export class WebCodec implements WebClientCodec {
  readonly faults = faults;
  readonly #limits: WebLimits;
  /** A busy process may read `start` late, and with it all that was said since the client could speak. */
  readonly #openedAt: number;
  /** Undefined until `start` has arrived. */
  #meter: InboundMeter | undefined;

  constructor(limits: WebLimits, openedAt: number) {
    this.#limits = limits;
    this.#openedAt = openedAt;
  }

  expectHeld(heldMs: number): void {
    this.#meter?.credit(heldMs);
  }

  read(
    data: Buffer,
    isBinary: boolean,
    now: number,
    output: CodecOutput<WebStarted, WebEvent>,
  ): ConnectionFault | undefined {
    if (!this.#meter) return this.#readStart(data, isBinary, output);
    const fault =
      (isBinary ? checkAudioLength(data.byteLength) : undefined) ??
      this.#meter.count(isBinary ? data.byteLength : 0, now);
    if (fault) return fault;
    if (isBinary) {
      if (data.byteLength > 0) output.audio(pcm16FromBytes(data));
      return undefined;
    }
    const parsed = parseClientFrame(data.toString());
    if (!parsed.ok) return parsed.fault;
    if (parsed.value.type === 'start') return faults.startTwice;
    output.event(parsed.value);
    return undefined;
  }

  countControl(now: number): ConnectionFault | undefined {
    return this.#meter?.count(0, now);
  }

  encodeAudio(pcm: Int16Array): readonly WireFrame[] {
    return [bytesFromPcm16(pcm)];
  }

  encode(frame: WebCommand): readonly WireFrame[] {
    return frame.type === 'line' ? [] : [serializeServerFrame(frame)];
  }

  encodeFault({ code, message }: ConnectionFault): WireFrame {
    return serializeServerFrame({ type: 'error', code, message });
  }

  release(): void {}

  #readStart(
    data: Buffer,
    isBinary: boolean,
    output: CodecOutput<WebStarted, WebEvent>,
  ): ConnectionFault | undefined {
    if (isBinary) return faults.startExpected;
    const parsed = parseClientFrame(data.toString());
    // A client that cannot send `start` does not belong here, whatever is wrong with its message.
    if (!parsed.ok) return { ...parsed.fault, closeCode: 1008 };
    if (parsed.value.type !== 'start') return faults.startExpected;
    const { type, ...started } = parsed.value;
    this.#meter = new InboundMeter(this.#limits, started.sampleRateHz, this.#openedAt);
    output.started(started);
    return undefined;
  }
}

export type WebConnection = MediaConnection<WebClientCodec, WebStarted, WebEvent, WebCommand>;

export function createWebConnection(
  socket: ConstructorParameters<typeof MediaConnection>[0],
  { clock, limits }: { readonly clock: Clock; readonly limits: WebLimits },
): WebConnection {
  return new MediaConnection(socket, new WebCodec(limits, clock.now()), {
    clock,
    limits: { ...limits, pingAfterMs: limits.pingEveryMs, deadAfterMs: limits.silentMs },
  });
}
