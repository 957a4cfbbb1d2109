import { bytesFromPcm16, pcm16FromBytes } from '../audio/pcm16.ts';
import { createResampler, type Resampler } from '../audio/resampler.ts';
import type { WireFrame } from '../ports/carrier-media.ts';
import type { Clock } from '../ports/clock.ts';
import { InboundMeter } from './inbound-meter.ts';
import { type CodecOutput, type ConnectionFault, MediaConnection } from './media-connection.ts';
import { failed, RtviNarrator, type RtviNews } from './rtvi-narrator.ts';
import {
  parseRtviFrame,
  parseRtviMessage,
  type RtviFrame,
  type RtviMessage,
  serializeRtviAudio,
  serializeRtviMessage,
} from './rtvi-protocol.ts';
import type { WebClientCodec, WebConnection, WebEvent, WebStarted } from './web-codec.ts';
import type { WebLimits } from './web-limits.ts';
import {
  checkAudioLength,
  faults,
  isTyped,
  WEB_SAMPLE_RATES_HZ,
  type WebCommand,
} from './web-protocol.ts';

/** Clients play at this rate and ask nobody. */
const SAMPLE_RATE_HZ = 24_000;
/** Longer messages, such as pictures of a page, are for bots that see; they are not read. */
const MAX_MESSAGE_CHARS = 16_384;
const MAX_KEYS = 32;
/** Of the standard; the first is for clients of its first version. */
const VERSIONS = { first: '1.2.0', second: '2.1.0' } as const;

const badFrame = {
  code: 'bad-message',
  message: 'a message must be a frame of Pipecat in protobuf',
  closeCode: 1003,
} as const;
const badAudio = {
  code: 'unsupported-sample-rate',
  message: `audio must have one channel at ${WEB_SAMPLE_RATES_HZ.join(', ')} Hz`,
  closeCode: 1003,
} as const;
const readyExpected = {
  code: 'start-expected',
  message: 'the first message must be client-ready',
  closeCode: 1008,
} as const;

/** Codec of the socket for clients of the RTVI standard, which speak Pipecat's WebSocket transport. */
export class RtviCodec implements WebClientCodec {
  readonly faults = faults;
  readonly #limits: WebLimits;
  readonly #clock: Pick<Clock, 'now'>;
  /** Answers a message that asks for it. */
  readonly #reply: (frame: Uint8Array) => void;
  #serial = 0;
  /** Undefined until `client-ready` has arrived. */
  #started:
    | {
        readonly id: string;
        readonly version: string;
        readonly narrator: RtviNarrator;
        readonly meter: InboundMeter;
        readonly output: CodecOutput<WebStarted, WebEvent>;
      }
    | undefined;
  #inbound: Resampler | undefined;
  #sentSamples = 0;

  constructor(
    limits: WebLimits,
    clock: Pick<Clock, 'now'>,
    reply: (frame: Uint8Array) => void = () => {},
  ) {
    this.#limits = limits;
    this.#clock = clock;
    this.#reply = reply;
  }

  expectHeld(heldMs: number): void {
    this.#started?.meter.credit(heldMs);
  }

  read(
    data: Buffer,
    isBinary: boolean,
    now: number,
    output: CodecOutput<WebStarted, WebEvent>,
  ): ConnectionFault | undefined {
    const frame = isBinary ? parseRtviFrame(data) : undefined;
    if (!this.#started) return this.#start(frame, now, output);
    const { meter } = this.#started;
    if (!frame) return badFrame;
    if (frame.type === 'audio') return this.#hear(frame, now);
    const fault = meter.count(0, now);
    if (fault) return fault;
    const message = messageIn(frame);
    if (message) this.#take(message, output);
    return undefined;
  }

  countControl(now: number): ConnectionFault | undefined {
    return this.#started?.meter.count(0, now);
  }

  encodeAudio(pcm: Int16Array): readonly WireFrame[] {
    this.#sentSamples += pcm.length;
    return [serializeRtviAudio(bytesFromPcm16(pcm), SAMPLE_RATE_HZ)];
  }

  encode(command: WebCommand): readonly WireFrame[] {
    if (!this.#started) return [];
    const { id, version, narrator, output } = this.#started;
    if (command.type === 'ready') {
      const about = { library: 'parley', call_id: command.callId };
      return [serializeRtviMessage({ id, type: 'bot-ready', data: { version, about } })];
    }
    if (command.type === 'clear') {
      // The client plays all that it was sent, which is at most 200 ms more.
      const playedMs = (this.#sentSamples * 1000) / SAMPLE_RATE_HZ;
      this.#sentSamples = 0;
      output.event({ type: 'cleared', playedMs });
      return [];
    }
    const timestamp = new Date(this.#clock.now()).toISOString();
    return narrator.tell(command, timestamp).map((news) => this.#frameOf(news));
  }

  encodeFault({ message }: ConnectionFault): WireFrame {
    return this.#frameOf(failed(message, true));
  }

  /** Who closes the socket hangs up: clients of the standard do not come back. */
  closedBy(code: number): WebEvent | undefined {
    return code === 1000 || code === 1005 ? { type: 'hangup' } : undefined;
  }

  release(): void {
    this.#inbound?.close();
    this.#inbound = undefined;
  }

  #start(
    frame: RtviFrame | undefined,
    now: number,
    output: CodecOutput<WebStarted, WebEvent>,
  ): ConnectionFault | undefined {
    const message = messageIn(frame);
    if (message?.type !== 'client-ready') return readyExpected;
    const isSecond = !/^[01]\./.test(String(message.data.version));
    const meter = new InboundMeter(this.#limits, SAMPLE_RATE_HZ, now);
    // The client has recorded since it asked for the microphone.
    meter.credit(this.#limits.catchUpMs);
    this.#started = {
      id: message.id,
      version: isSecond ? VERSIONS.second : VERSIONS.first,
      narrator: new RtviNarrator(isSecond),
      meter,
      output,
    };
    output.started({ sampleRateHz: SAMPLE_RATE_HZ });
    return undefined;
  }

  #hear(frame: Extract<RtviFrame, { type: 'audio' }>, now: number): ConnectionFault | undefined {
    const { audio, sampleRateHz, channels } = frame;
    if (channels !== 1 || !WEB_SAMPLE_RATES_HZ.some((rate) => rate === sampleRateHz))
      return badAudio;
    const asBytes = (audio.byteLength * SAMPLE_RATE_HZ) / sampleRateHz;
    const fault = checkAudioLength(audio.byteLength) ?? this.#started?.meter.count(asBytes, now);
    if (fault) return fault;
    if (audio.byteLength === 0) return undefined;
    if (this.#inbound?.fromHz !== sampleRateHz) {
      this.#inbound?.close();
      this.#inbound = createResampler(sampleRateHz, SAMPLE_RATE_HZ);
    }
    this.#started?.output.audio(this.#inbound.process(pcm16FromBytes(audio)));
    return undefined;
  }

  #take({ id, type, data }: RtviMessage, output: CodecOutput<WebStarted, WebEvent>): void {
    if (type === 'send-text' && isTyped(data.content))
      output.event({ type: 'text', text: data.content.trim() });
    else if (type === 'dtmf')
      for (const digit of keysOf(data)) output.event({ type: 'dtmf', digit });
    else if (type === 'disconnect-bot') output.event({ type: 'hangup' });
    // Who sends one of these waits for an answer.
    else if (type === 'client-message' || type === 'send-text') {
      const error = type === 'send-text' ? 'This text cannot be said.' : 'Nobody answers this.';
      this.#reply(serializeRtviMessage({ id, type: 'error-response', data: { error } }));
    }
  }

  #frameOf({ type, data }: RtviNews): Uint8Array {
    this.#serial += 1;
    return serializeRtviMessage({ id: String(this.#serial), type, data });
  }
}

function messageIn(frame: RtviFrame | undefined): RtviMessage | undefined {
  if (frame?.type !== 'message' || frame.json.length > MAX_MESSAGE_CHARS) return undefined;
  return parseRtviMessage(frame.json);
}

/** The keys of a message: a list, or one key of a client before version 2.1. */
function keysOf({ buttons, button }: RtviMessage['data']): readonly string[] {
  const keys = Array.isArray(buttons) ? buttons.slice(0, MAX_KEYS) : [button];
  return keys.filter((key): key is string => typeof key === 'string' && /^[0-9*#]$/.test(key));
}

export function createRtviConnection(
  socket: ConstructorParameters<typeof MediaConnection>[0],
  { clock, limits }: { readonly clock: Clock; readonly limits: WebLimits },
): WebConnection {
  const codec = new RtviCodec(limits, clock, (frame) =>
    socket.send(frame, { binary: true, compress: false }),
  );
  return new MediaConnection(socket, codec, {
    clock,
    limits: { ...limits, pingAfterMs: limits.pingEveryMs, deadAfterMs: limits.silentMs },
  });
}
