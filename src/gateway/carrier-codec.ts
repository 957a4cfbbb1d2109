import type { CarrierMediaEvent, CarrierMediaProtocol, WireFrame } from '../ports/carrier-media.ts';
import type { Clock } from '../ports/clock.ts';
import type { CarrierLimits } from './carrier-limits.ts';
import { FrameMeter } from './inbound-meter.ts';
import {
  type CodecOutput,
  type ConnectionFault,
  type MediaCodec,
  MediaConnection,
} from './media-connection.ts';

export interface CarrierStarted {
  readonly carrierCallId: string | undefined;
}

export type CarrierEvent = Exclude<CarrierMediaEvent, { type: 'started' | 'audio' }>;

/** Commands to a carrier's media socket, besides audio. */
export type CarrierCommand =
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'clear' }
  /** The call is over. */
  | { readonly type: 'end' };

const TELEPHONE_HZ = 8000;
const POLICY = 1008;

/** A fault without a message: carriers do not show our texts to anyone. */
export function carrierFault(code: string, closeCode = POLICY): ConnectionFault {
  return { code, message: code, closeCode };
}

const TOO_MANY = carrierFault('too-many-frames');

/** The codec of a carrier's media socket; the carrier's adapter supplies the protocol. */
export class CarrierCodec implements MediaCodec<CarrierStarted, CarrierEvent, CarrierCommand> {
  readonly faults = {
    startLate: carrierFault('start-timeout'),
    slowReader: carrierFault('slow-reader'),
    tooBig: carrierFault('frame-too-big', 1009),
  };
  readonly #protocol: CarrierMediaProtocol;
  readonly #frames: FrameMeter;

  constructor(protocol: CarrierMediaProtocol, limits: CarrierLimits, now: number) {
    this.#protocol = protocol;
    this.#frames = new FrameMeter(limits.maxFramesPerSecond, limits.burstFrames, now);
  }

  /** Rate of the audio in both directions, once the stream has started. */
  get sampleRateHz(): number {
    return this.#protocol.sampleRateHz ?? TELEPHONE_HZ;
  }

  read(
    data: Buffer,
    isBinary: boolean,
    now: number,
    output: CodecOutput<CarrierStarted, CarrierEvent>,
  ): ConnectionFault | undefined {
    if (!this.#frames.count(now)) return TOO_MANY;
    const pcm = isBinary ? undefined : this.#protocol.parseAudio?.(data);
    if (pcm) {
      output.audio(pcm);
      return undefined;
    }
    const parsed = this.#protocol.parse(isBinary ? data : data.toString());
    if (!parsed.ok) return parsed.fault;
    for (const event of parsed.events) {
      if (event.type === 'audio') output.audio(event.pcm);
      else if (event.type === 'started') output.started({ carrierCallId: event.carrierCallId });
      else output.event(event);
    }
    return undefined;
  }

  countControl(now: number): ConnectionFault | undefined {
    return this.#frames.count(now) ? undefined : TOO_MANY;
  }

  encodeAudio(pcm: Int16Array): readonly WireFrame[] {
    return this.#protocol.audio(pcm);
  }

  encode(command: CarrierCommand): readonly WireFrame[] {
    switch (command.type) {
      case 'mark':
        return this.#protocol.mark(command.name);
      case 'clear':
        return this.#protocol.clear();
      case 'end':
        return this.#protocol.end();
    }
  }

  encodeFault(): undefined {
    return undefined;
  }

  release(): void {}
}

export type CarrierConnection = MediaConnection<
  CarrierCodec,
  CarrierStarted,
  CarrierEvent,
  CarrierCommand
>;

export function createCarrierConnection(
  socket: ConstructorParameters<typeof MediaConnection>[0],
  protocol: CarrierMediaProtocol,
  options: {
    readonly clock: Clock;
    readonly limits: CarrierLimits;
    /** True if the carrier sends audio all the time: a socket without any is dead. Otherwise a ping checks first. */
    readonly sendsSilence: boolean;
  },
): CarrierConnection {
  const { clock, limits, sendsSilence } = options;
  return new MediaConnection(socket, new CarrierCodec(protocol, limits, clock.now()), {
    clock,
    limits: {
      ...limits,
      ...(sendsSilence
        ? { deadAfterMs: limits.silentMs }
        : { pingAfterMs: limits.silentMs, deadAfterMs: limits.silentMs + limits.pongMs }),
    },
  });
}
