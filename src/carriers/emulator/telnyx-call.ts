import { randomUUID } from 'node:crypto';
import { asText, type JsonObject } from '../../lib/json-frame.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EmulatedCall, EmulatorFaults } from './emulated-carrier.ts';
import type { EmulatorAnswer } from './emulator-server.ts';
import { Handset } from './handset.ts';
import { createTelnyxWire } from './telnyx-wire.ts';

interface TelnyxCallOptions {
  readonly clock: Clock;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly direction: 'incoming' | 'outgoing';
  readonly connectionId: string;
  readonly clientState: string | null;
  readonly callerName: string;
  readonly emit: (type: string, payload: JsonObject) => Promise<void>;
  readonly faults: EmulatorFaults;
}

/** One call at the emulated Telnyx: runs commands and sends events. */
export class TelnyxCall implements EmulatedCall {
  readonly carrierCallId: string;
  readonly from: string;
  readonly to: string;
  readonly handset: Handset;
  readonly #options: TelnyxCallOptions;
  readonly #connected = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<string>();
  readonly #events: (() => Promise<void>)[] = [];
  /** Deliveries in order; each starts when the one before was answered. */
  #delivering: Promise<void> = Promise.resolve();
  #isAnswered = false;
  #isStreaming = false;
  /** Streams so far: one that was stopped may end after the next has begun. */
  #runs = 0;
  #isOver = false;
  #sockets = 0;

  constructor(options: TelnyxCallOptions) {
    this.#options = options;
    this.carrierCallId = options.id;
    this.from = options.from;
    this.to = options.to;
    this.handset = new Handset(options.clock);
    this.#connected.promise.catch(() => undefined);
  }

  get connected(): Promise<void> {
    return this.#connected.promise;
  }

  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  get sockets(): number {
    return this.#sockets;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  hangup(): void {
    this.handset.stop();
    this.end(this.#isAnswered ? 'normal_clearing' : 'originator_cancel');
  }

  initiated(state: 'parked' | 'bridging'): void {
    this.#tell('call.initiated', { state, caller_id_name: this.#options.callerName });
  }

  answered(): void {
    this.#isAnswered = true;
    this.#tell('call.answered', { state: 'answered' });
  }

  /** Runs a command. Returns the refusal, or undefined. */
  command(action: string, json: JsonObject): EmulatorAnswer | undefined {
    switch (action) {
      case 'answer':
        if (this.#isAnswered) return refusal('90034', 'Call has already been answered');
        this.answered();
        return json.stream_url ? this.#stream(json) : undefined;
      case 'streaming_start':
        if (this.#isStreaming) return refusal('90045', 'Streaming is already in progress');
        return this.#stream(json);
      case 'streaming_stop':
        this.#isStreaming = false;
        this.handset.stop();
        return undefined;
      case 'reject':
        this.end(json.cause === 'USER_BUSY' ? 'user_busy' : 'call_rejected');
        return undefined;
      case 'hangup':
        this.hangup();
        return undefined;
      default:
        return refusal('10015', `Unknown command ${action}`);
    }
  }

  end(cause: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.handset.close();
    this.#connected.reject(new Error(`the call ended (${cause}) before it had a media socket`));
    this.#tell('call.hangup', { hangup_cause: cause, hangup_source: 'caller' });
    void this.#settle().then(() => this.#ended.resolve(cause));
  }

  async #settle(): Promise<void> {
    await this.#options.faults.deliver?.(this.#events);
    await this.#delivering;
  }

  #stream(json: JsonObject): EmulatorAnswer | undefined {
    const url = asText(json.stream_url);
    if (!/^wss?:\/\//.test(url) || url.length > 2000) return refusal('10003', 'Invalid URL');
    const { id, from, to, clientState } = this.#options;
    const wire = createTelnyxWire({
      streamId: randomUUID(),
      callControlId: id,
      from,
      to,
      clientState,
      // By default the stream accepts MP3 only.
      mode: asText(json.stream_bidirectional_mode) || 'mp3',
    });
    this.#isStreaming = true;
    this.#sockets++;
    void this.#run(url, wire);
    return undefined;
  }

  async #run(url: string, wire: ReturnType<typeof createTelnyxWire>): Promise<void> {
    const about = { stream_params: { stream_url: url, track: 'inbound_track' } };
    const run = ++this.#runs;
    try {
      const done = this.handset.link({ url, wire });
      this.#connected.resolve();
      await done;
      if (run === this.#runs) this.#isStreaming = false;
      this.#tell('streaming.stopped', about);
    } catch {
      if (run === this.#runs) this.#isStreaming = false;
      this.#tell('streaming.failed', { ...about, failure_reason: 'connection_failed' });
    }
  }

  #tell(type: string, extra: JsonObject): void {
    const { id, from, to, direction, connectionId, clientState, emit, faults } = this.#options;
    const payload = {
      call_control_id: id,
      call_leg_id: `leg-${id}`,
      call_session_id: `session-${id}`,
      connection_id: connectionId,
      direction,
      from,
      to,
      client_state: clientState,
      ...extra,
    };
    // Only status events may arrive in another order; all others answer an earlier request.
    const isStatus = ['call.initiated', 'call.hangup'].includes(type) && direction === 'outgoing';
    if (faults.deliver && isStatus) this.#events.push(() => emit(type, payload));
    else this.#delivering = this.#delivering.then(() => emit(type, payload));
  }
}

function refusal(code: string, title: string): EmulatorAnswer {
  return { status: 422, json: { errors: [{ code, title, detail: title }] } };
}
