import { DTMF_PAUSE_MS, DTMF_TONE_MS, dtmfTone } from '../audio/dtmf-tones.ts';
import type { CarrierCapabilities } from '../ports/carrier.ts';
import type { Clock } from '../ports/clock.ts';
import type { LegSink, MediaLeg } from '../ports/media.ts';
import { type CarrierConnection, type CarrierEvent, carrierFault } from './carrier-codec.ts';
import type { ConnectionLoss, ConnectionOwner } from './media-connection.ts';
import { PlayedEstimate } from './played-estimate.ts';
import { SilenceFiller } from './silence-filler.ts';

interface CarrierLegOptions {
  readonly clock: Clock;
  /** Ends the call at the carrier; the callee handles the result and any error. */
  readonly hangup: (reason: string) => void;
  /** Sends DTMF as a command. Absent: it is sent as tones. */
  readonly sendDtmf?: (digits: string) => void;
  readonly onLoss: (loss: ConnectionLoss) => void;
  /** How the carrier behaves in silence. */
  readonly silence: Pick<CarrierCapabilities, 'sendsSilence' | 'needsSilence'>;
}

const KEY_MS = DTMF_TONE_MS + DTMF_PAUSE_MS;

/** The caller's leg of a phone call. It outlives its sockets: the fallback URL's socket replaces a lost one. */
export class CarrierLeg implements MediaLeg {
  readonly #options: CarrierLegOptions;
  readonly #filler: SilenceFiller;
  #sampleRateHz = 8000;
  #played = new PlayedEstimate();
  #sink: LegSink | undefined;
  #connection: CarrierConnection | undefined;
  #hungUp = false;
  #ended = false;
  #onHandedOn: (() => void) | undefined;

  constructor(options: CarrierLegOptions) {
    this.#options = options;
    const { sendsSilence, needsSilence } = options.silence;
    this.#filler = new SilenceFiller({
      clock: options.clock,
      sampleRateHz: () => this.#sampleRateHz,
      hear: sendsSilence ? undefined : (pcm) => this.#connection && this.#sink?.audio(pcm),
      send: needsSilence ? (pcm) => this.#connection?.sendAudio(pcm) : undefined,
    });
  }

  /** True once we have ended the call or the caller has hung up: no new socket is accepted. */
  get isOver(): boolean {
    return this.#ended || this.#hungUp;
  }

  get sampleRateHz(): number {
    return this.#sampleRateHz;
  }

  get keysAreSound(): boolean {
    return this.#options.sendDtmf === undefined;
  }

  get bufferedBytes(): number {
    return this.#connection?.bufferedBytes ?? 0;
  }

  begin(connection: CarrierConnection, attach: (leg: MediaLeg) => LegSink): void {
    this.#connection = connection;
    this.#sampleRateHz = connection.codec.sampleRateHz;
    try {
      this.#sink = attach(this);
    } catch (error) {
      this.#connection = undefined;
      throw error;
    }
    // The hangup may have been reported by webhook while the session was being created.
    if (this.#hungUp) this.#sink.hangup();
    connection.attach(this.#ownerOf(connection));
    if (!this.isOver) this.#filler.start();
  }

  /** The carrier has reconnected on a new socket, with an empty buffer. */
  resume(connection: CarrierConnection): void {
    if (this.isOver) {
      connection.finish({ type: 'end' });
      return;
    }
    const former = this.#connection;
    this.#connection = connection;
    this.#played = new PlayedEstimate();
    former?.fail(carrierFault('replaced'));
    connection.attach(this.#ownerOf(connection));
    this.#sink?.resumed();
  }

  /** The carrier reported the end of the call outside the socket. */
  hungUp(): void {
    if (this.#hungUp) return;
    this.#hungUp = true;
    this.#filler.stop();
    if (this.#onHandedOn) this.#onHandedOn();
    else this.#sink?.hangup();
  }

  /** Set while the carrier is asked to take the caller over (REFER): the end of this leg is then no hangup. */
  handOn(onHandedOn: (() => void) | undefined): void {
    this.#onHandedOn = onHandedOn;
  }

  send(pcm: Int16Array): void {
    if (!this.#connection) return;
    const durationMs = (pcm.length * 1000) / this.#sampleRateHz;
    // Speech does not wait for filled-in silence, unless the clear would lose a mark.
    if (this.#filler.sending(durationMs) && !this.#played.awaitsMarks)
      this.#connection.send({ type: 'clear' });
    this.#played.sent(durationMs, this.#options.clock.now());
    this.#connection.sendAudio(pcm);
  }

  mark(name: string): void {
    this.#played.marked(name);
    this.#connection?.send({ type: 'mark', name });
  }

  clear(): void {
    if (!this.#connection) return;
    this.#connection.send({ type: 'clear' });
    this.#filler.cleared();
    this.#sink?.cleared(this.#played.clear(this.#options.clock.now()));
  }

  notify(): void {
    // A telephone has no display.
  }

  sendDtmf(digits: string): void {
    if (this.#options.sendDtmf) this.#options.sendDtmf(digits);
    else this.#sendTones(digits);
  }

  end(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#filler.stop();
    const connection = this.#connection;
    this.#connection = undefined;
    if (!this.#hungUp) this.#options.hangup(reason);
    connection?.finish({ type: 'end' });
  }

  moved(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#filler.stop();
    this.#connection?.moved();
    this.#connection = undefined;
  }

  #ownerOf(connection: CarrierConnection): ConnectionOwner<CarrierEvent> {
    return {
      audio: (pcm) => {
        if (this.#hungUp || connection !== this.#connection) return;
        this.#filler.heard();
        this.#sink?.audio(pcm);
      },
      event: (event) => {
        if (this.#hungUp || connection !== this.#connection) return;
        if (event.type === 'dtmf') this.#sink?.dtmf(event.digit);
        else if (event.type === 'mark') this.#reached(event.name);
        else if (event.type === 'stopped') this.hungUp();
      },
      lost: (loss) => {
        if (connection !== this.#connection) return;
        this.#connection = undefined;
        if (this.isOver) return;
        this.#options.onLoss(loss);
        this.#sink?.lost(loss.reason);
      },
    };
  }

  /** Sends one tone at a time in real time, which keeps the far end's buffer short. */
  #sendTones(digits: string): void {
    const [key, ...rest] = digits;
    if (key === undefined || this.isOver) return;
    this.send(dtmfTone(key, this.#sampleRateHz));
    this.#options.clock.setTimeout(() => this.#sendTones(rest.join('')), KEY_MS);
  }

  #reached(name: string): void {
    this.#played.reached(name, this.#options.clock.now());
    this.#sink?.mark(name);
  }
}
