import { createResampler, type Resampler } from '../audio/resampler.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { JournalLine } from '../ports/journal.ts';
import type { LegNotice, LegSink, MediaLeg } from '../ports/media.ts';
import type { ConnectionLoss, ConnectionOwner } from './media-connection.ts';
import { MissedNotices } from './missed-notices.ts';
import type { ResumeTable } from './resume-table.ts';
import type { WebConnection, WebEvent, WebStarted } from './web-codec.ts';
import type { WebLimits } from './web-limits.ts';
import { faults, type WebCommand } from './web-protocol.ts';

interface WebLegOptions {
  readonly callId: string;
  readonly sampleRateHz: number;
  readonly clock: Clock;
  readonly limits: WebLimits;
  readonly resumeTable: ResumeTable<WebLeg>;
  readonly newToken: () => string;
  /** The client is told what happens, line by line. */
  readonly isTold: boolean;
  /** The caller's audio that an earlier process has received, and when the last of it was. */
  readonly received?: { readonly receivedMs: number; readonly receivedAt: number };
  readonly onLoss: (loss: ConnectionLoss) => void;
}

/** A client that has started its socket. */
export interface ClientArrival extends WebStarted {
  readonly connection: WebConnection;
  /** What it came with. */
  readonly token: string;
  readonly startedAt: number;
}

/** The leg's current connection and its resamplers; the client's rate may change on a resume. */
interface Link {
  readonly connection: WebConnection;
  readonly sampleRateHz: number;
  readonly playsOn: boolean;
  readonly inbound: Resampler;
  readonly outbound: Resampler;
}

/** The caller's leg of a web call. It outlives its sockets: the session keeps one leg over every resume. */
export class WebLeg implements MediaLeg {
  readonly sampleRateHz: number;
  readonly follow?: (line: JournalLine) => void;
  readonly #options: WebLegOptions;
  readonly #missed = new MissedNotices();
  readonly #owner: ConnectionOwner<WebEvent> = {
    audio: (pcm) => this.#audio(pcm),
    event: (frame) => {
      if (frame.type === 'dtmf') this.#sink?.dtmf(frame.digit);
      else if (frame.type === 'text') this.#sink?.typed?.(frame.text);
      else if (frame.type === 'played') this.#sink?.mark(frame.mark);
      else if (frame.type === 'cleared') this.#sink?.cleared(frame.playedMs);
      else if (frame.type === 'stats') this.#sink?.playback?.(frame.stats);
      else this.#hangup();
    },
    lost: (loss) => this.#lost(loss),
  };
  #earlierSound: MediaLeg['earlierSound'];
  #sink: LegSink | undefined;
  #link: Link | undefined;
  /** The caller's audio received over all connections, and the time of the last of it. */
  #receivedMs = 0;
  #receivedAt: number;
  #hungUp = false;
  #endReason: string | undefined;
  /** While connected: the session's time to answer a hangup. While lost: the time left to resume. */
  #timer: Timer | undefined;

  constructor(options: WebLegOptions) {
    this.#options = options;
    this.sampleRateHz = options.sampleRateHz;
    if (options.isTold) this.follow = (line) => this.#tell({ type: 'line', line });
    this.#receivedMs = options.received?.receivedMs ?? 0;
    this.#receivedAt = options.received?.receivedAt ?? options.clock.now();
  }

  /** A new token with which the client can resume. */
  newToken(): string {
    return this.#options.newToken();
  }

  get callId(): string {
    return this.#options.callId;
  }

  get bufferedBytes(): number {
    return this.#link?.connection.bufferedBytes ?? 0;
  }

  get playsOn(): boolean {
    return this.#link?.playsOn ?? false;
  }

  get earlierSound(): MediaLeg['earlierSound'] {
    return this.#earlierSound;
  }

  /** First connection: the client receives `ready` before anything that the session sends. */
  begin(client: ClientArrival, attach: (leg: MediaLeg) => LegSink): void {
    const { connection, bufferedMs, startedAt } = client;
    if (bufferedMs)
      this.#earlierSound = { durationMs: bufferedMs, untilMs: startedAt + bufferedMs };
    const isNew = this.#options.received === undefined;
    if (!isNew) connection.codec.expectHeld(this.#options.clock.now() - this.#receivedAt);
    this.#connect(client, isNew ? undefined : this.#receivedMs);
    try {
      this.#sink = attach(this);
    } catch (error) {
      this.abandon();
      this.#unlink();
      throw error;
    }
    connection.attach(this.#owner);
  }

  /** The client has reconnected on a new socket. */
  resume(client: ClientArrival): void {
    const { connection } = client;
    if (this.#endReason !== undefined) {
      connection.finish({ type: 'ended', reason: this.#endReason });
      return;
    }
    // The old socket may look alive for seconds after its network has gone.
    this.#link?.connection.fail(faults.replaced, { resumable: true });
    this.#clearTimer();
    connection.codec.expectHeld(this.#options.clock.now() - this.#receivedAt);
    // What this process had sent before is dropped there, and sent again.
    this.#earlierSound = undefined;
    this.#connect(client, this.#receivedMs);
    connection.attach(this.#owner);
    this.#sink?.resumed();
    for (const notice of this.#missed.drain()) connection.send(notice);
  }

  send(pcm: Int16Array): void {
    const link = this.#link;
    if (link) link.connection.sendAudio(link.outbound.process(pcm));
  }

  mark(name: string, ends = false): void {
    this.#tell({ type: 'mark', mark: name, ...(ends ? { end: true } : {}) });
  }

  clear(): void {
    this.#link?.outbound.reset();
    this.#tell({ type: 'clear' });
  }

  notify(notice: LegNotice): void {
    if (this.#link) this.#tell(notice);
    else if (this.#endReason === undefined) this.#missed.add(notice);
  }

  end(reason: string): void {
    if (this.#endReason !== undefined) return;
    this.#endReason = reason;
    if (!this.#link) return;
    // While the client is away, its token stays valid until the timer runs out, so that it can still learn of the
    // end.
    this.#options.resumeTable.revoke(this);
    this.#clearTimer();
    this.#link.connection.finish({ type: 'ended', reason });
    this.#unlink();
  }

  moved(): void {
    if (this.#endReason !== undefined) return;
    this.#endReason = 'moved';
    this.abandon();
    this.#link?.connection.moved();
    this.#unlink();
  }

  /** The service stops: no client can resume. */
  abandon(): void {
    this.#options.resumeTable.revoke(this);
    this.#clearTimer();
  }

  #connect(client: ClientArrival, receivedMs?: number): void {
    const { connection, token, sampleRateHz, bufferedMs } = client;
    const { callId, limits, resumeTable } = this.#options;
    this.#link = {
      connection,
      sampleRateHz,
      playsOn: bufferedMs !== undefined,
      inbound: createResampler(sampleRateHz, this.sampleRateHz),
      outbound: createResampler(this.sampleRateHz, sampleRateHz),
    };
    // It will come back with the token that it has.
    if (!connection.isOpen) {
      resumeTable.keep(this, token);
      return;
    }
    connection.send({
      type: 'ready',
      callId,
      sampleRate: sampleRateHz,
      resumeToken: resumeTable.issue(this),
      statsEveryMs: limits.statsEveryMs,
      heldAudioMs: limits.catchUpMs,
      ...(receivedMs === undefined ? {} : { receivedMs }),
    });
  }

  #tell(frame: WebCommand): void {
    this.#link?.connection.send(frame);
  }

  #audio(pcm: Int16Array): void {
    const link = this.#link;
    if (!link || this.#hungUp) return;
    this.#receivedMs += (pcm.length * 1000) / link.sampleRateHz;
    this.#receivedAt = this.#options.clock.now();
    this.#sink?.audio(link.inbound.process(pcm));
  }

  #hangup(): void {
    if (this.#hungUp) return;
    this.#hungUp = true;
    this.#options.resumeTable.revoke(this);
    this.#timer = this.#options.clock.setTimeout(
      () => this.end('hangup'),
      this.#options.limits.closeMs,
    );
    this.#sink?.hangup();
  }

  #lost(loss: ConnectionLoss): void {
    this.#unlink();
    this.#clearTimer();
    if (this.#hungUp || this.#endReason !== undefined) return;
    const { clock, limits, resumeTable } = this.#options;
    if (loss.resumable) {
      this.#timer = clock.setTimeout(() => resumeTable.revoke(this), limits.resumeMs);
    } else {
      resumeTable.revoke(this);
    }
    this.#options.onLoss(loss);
    this.#sink?.lost(loss.reason);
  }

  #unlink(): void {
    this.#link?.inbound.close();
    this.#link?.outbound.close();
    this.#link = undefined;
  }

  #clearTimer(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
