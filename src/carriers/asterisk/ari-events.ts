import type { WebSocket } from 'ws';
import { connectionProblem } from '../../lib/connection-problem.ts';
import { TrafficError } from '../../lib/outgoing-socket.ts';
import type { CarrierEventListener, UnnumberedEvent } from '../../ports/carrier.ts';
import type { Clock, Timer } from '../../ports/clock.ts';
import { type AriEvent, parseAriEvent, statusOfCause } from './ari-event.ts';
import type { AriChannels } from './channels.ts';
import { CommandQueue } from './command-queue.ts';
import type { OpenSocket } from './guarded-reach.ts';
import { type Channel, newChannel } from './known-channel.ts';
import { attemptOfMediaChannel, callOfMediaChannel } from './media-channel.ts';
import { paceMessages } from './paced-messages.ts';

type Arrived = Extract<AriEvent, { readonly type: 'arrived' }>;

interface AriEventsOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly openSocket: OpenSocket;
  readonly listener: CarrierEventListener;
  readonly channels: AriChannels;
}

const RETRY_MS = [500, 1000, 2000, 5000, 10_000] as const;
/** Used after a server sent too many events, and after another client took over the application. */
const LONG_RETRY_MS = 60_000;
const PING_MS = 10_000;
const SILENT_MS = 25_000;
const CLOSE_MS = 1000;
/** The longest time from a channel's leaving the application to its end, if it left because it ended. */
const LEFT_MS = 500;
const MAX_CALLS = 10_000;
/** The dialplan context that sends a REFER: `deploy/asterisk/conf/extensions.conf`. */
export const REFER_CONTEXT = 'parley-refer';
const NORMAL_CAUSE = 16;
/** How many failed media sockets of one call are tried again. */
const MAX_FAILURES = 1;

/** Follows the events of one ARI application and reconnects when the connection breaks. */
export class AriEvents {
  readonly #options: AriEventsOptions;
  #isClosed = false;
  readonly #channels = new Map<string, Channel>();
  readonly #commands: CommandQueue;
  #socket: WebSocket | undefined;
  #timer: Timer | undefined;
  #attempts = 0;
  #seenAt = 0;
  #count = 0;
  /** Part of the event ids, since each connection numbers its events from 1. */
  readonly #since: number;

  constructor(options: AriEventsOptions) {
    this.#options = options;
    this.#since = options.clock.now();
    this.#commands = new CommandQueue((error) => options.listener.problem(error));
  }

  start(): void {
    const socket = this.#options.openSocket(this.#options.url);
    this.#socket = socket;
    let problem = 'the connection was closed';
    let waitsLong = false;
    socket.on('open', () => {
      this.#attempts = 0;
      this.#seen();
      this.#watch(socket);
      this.#options.listener.connected(true);
    });
    const handleRest = paceMessages(socket, (message) => {
      this.#seen();
      const event = parseAriEvent(message.toString());
      if (event?.type === 'replaced') {
        problem = 'another client follows the same application';
        waitsLong = true;
        socket.close(1000);
      } else if (event) this.#handle(event);
    });
    socket.on('pong', () => this.#seen());
    socket.on('error', (error) => {
      problem = connectionProblem(error) ?? error.message;
      waitsLong ||= error instanceof TrafficError;
    });
    socket.on('close', () => {
      handleRest();
      this.#broken(problem, waitsLong);
    });
  }

  /**
   * Lists all channels except media channels. Also removes media channels and bridges without a caller, which a killed
   * service left behind, and starts to watch callers in the application that were unknown.
   */
  async standing(signal: AbortSignal): Promise<readonly string[]> {
    const { channels } = this.#options;
    const before = new Set(this.#channels.keys());
    const bridged = await channels.bridged(signal);
    const all = await channels.list(signal);
    const ids = new Set(all.map(({ id }) => id));
    const callers = all.filter(({ id }) => callOfMediaChannel(id) === undefined);
    for (const { id, isUp, isInApplication, arrival } of callers) {
      if (!isInApplication) continue;
      // It arrived while the connection was down, and still waits for an answer.
      if (arrival && !this.#channels.has(id)) {
        this.#arrived({ channelId: id, ...arrival });
        continue;
      }
      const known = this.#know(id);
      known.answered ||= isUp;
      this.#follow(id);
    }
    for (const { id } of all) {
      const callId = callOfMediaChannel(id);
      if (callId === undefined) continue;
      if (ids.has(callId)) this.#channels.get(callId)?.media.add(id);
      else this.#commands.run((closing) => channels.hangUp(id, 'normal', closing));
    }
    for (const callId of bridged)
      if (!ids.has(callId)) this.#commands.run((closing) => channels.drop(callId, [], closing));
    // These ended while the connection was down.
    for (const id of before) if (!ids.has(id)) this.#destroyed(id, NORMAL_CAUSE);
    return callers.map(({ id }) => id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const { clock } = this.#options;
    clock.clearTimeout(this.#timer);
    for (const { leftTimer } of this.#channels.values()) clock.clearTimeout(leftTimer);
    const socket = this.#socket;
    if (socket) {
      socket.close(1000);
      clock.setTimeout(() => socket.terminate(), CLOSE_MS);
    }
    await this.#commands.close();
  }

  #seen(): void {
    this.#seenAt = this.#options.clock.now();
  }

  #watch(socket: WebSocket): void {
    this.#timer = this.#options.clock.setTimeout(() => {
      if (this.#options.clock.now() - this.#seenAt >= SILENT_MS) {
        socket.terminate();
        return;
      }
      socket.ping();
      this.#watch(socket);
    }, PING_MS);
  }

  #broken(problem: string, waitsLong: boolean): void {
    this.#options.clock.clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#options.listener.connected(false, problem);
    const usualMs = RETRY_MS[Math.min(this.#attempts++, RETRY_MS.length - 1)] as number;
    const delayMs = waitsLong ? LONG_RETRY_MS : usualMs;
    this.#timer = this.#options.clock.setTimeout(() => this.start(), delayMs);
  }

  #handle(event: AriEvent): void {
    if (this.#isClosed) return;
    const { channelId } = event;
    switch (event.type) {
      case 'arrived':
        this.#arrived(event);
        return;
      case 'entered':
        this.#know(channelId).answered = true;
        this.#tell({ type: 'call-status', carrierCallId: channelId, status: 'in-progress' });
        this.#tell({ type: 'media-wanted', carrierCallId: channelId });
        return;
      case 'referred':
        this.#isBack(channelId, event.cause);
        return;
      case 'progress':
        this.#tell({ type: 'call-status', carrierCallId: channelId, status: event.status });
        return;
      case 'hanging-up': {
        const channel = this.#channels.get(channelId);
        if (channel) channel.cause ??= event.cause;
        return;
      }
      case 'left':
        this.#left(channelId);
        return;
      case 'destroyed':
        this.#destroyed(channelId, event.cause);
        return;
      case 'media-entered':
        this.#channels.get(event.callId)?.media.add(channelId);
        this.#commands.run((signal) =>
          this.#options.channels.join(event.callId, [event.callId, channelId], signal),
        );
        return;
      case 'media-destroyed':
        this.#mediaGone(event.callId, channelId);
        return;
    }
  }

  #arrived({ channelId, from, to, callerName }: Omit<Arrived, 'type'>): void {
    // Whoever still waits when the rush is over is found by `standing`.
    if (this.#commands.isBusy || !this.#options.listener.mayArrive()) return;
    this.#know(channelId).answered = true;
    // Without this, Asterisk sends no more events of the channel after it leaves the application, not even its end.
    this.#follow(channelId);
    const name = callerName ? { callerName } : {};
    this.#tell({ type: 'call-arrived', carrierCallId: channelId, from, to, ...name });
  }

  /** The media channel ended. If the caller's channel lives, its socket broke or could not be opened: asks for another. */
  #mediaGone(callId: string, mediaId: string): void {
    const channel = this.#channels.get(callId);
    if (!channel) return;
    const wasOpen = channel.media.delete(mediaId);
    if (!wasOpen) channel.failures++;
    if (channel.failures > MAX_FAILURES) {
      const failed = { status: 'failed', cause: 'no-media' } as const;
      this.#tell({ type: 'call-status', carrierCallId: callId, ...failed });
      this.#commands.run((signal) => this.#options.channels.hangUp(callId, 'normal', signal));
    } else {
      const lost = { attempt: attemptOfMediaChannel(mediaId) };
      this.#tell({ type: 'media-wanted', carrierCallId: callId, lost });
    }
  }

  #follow(channelId: string): void {
    this.#commands.run(async (signal) => {
      if (!(await this.#options.channels.watch(channelId, signal)))
        this.#destroyed(channelId, NORMAL_CAUSE);
    });
  }

  /** The channel returned from a REFER: the far end refused it, or accepted it and leaves the hanging up to us. */
  #isBack(channelId: string, cause: string | undefined): void {
    const { clock, channels } = this.#options;
    const channel = this.#know(channelId);
    channel.answered = true;
    clock.clearTimeout(channel.leftTimer);
    if (cause === undefined) {
      this.#tell({ type: 'referred', carrierCallId: channelId });
      return;
    }
    this.#commands.run((signal) => channels.join(channelId, [channelId], signal));
    this.#tell({ type: 'referred', carrierCallId: channelId, cause });
  }

  /** A channel that left the application usually ends at once; otherwise it is in a REFER, or the dialplan keeps it. */
  #left(channelId: string): void {
    const channel = this.#channels.get(channelId);
    if (!channel) return;
    const { clock, channels } = this.#options;
    clock.clearTimeout(channel.leftTimer);
    channel.leftTimer = clock.setTimeout(() => {
      this.#commands.run(async (signal) => {
        const found = await channels.find(channelId, signal);
        if (this.#channels.get(channelId) !== channel) return;
        const isOurs = found?.isInApplication || found?.context === REFER_CONTEXT;
        if (!isOurs) this.#destroyed(channelId, channel.cause ?? NORMAL_CAUSE);
      });
    }, LEFT_MS);
  }

  #destroyed(channelId: string, cause: number): void {
    const channel = this.#channels.get(channelId);
    this.#channels.delete(channelId);
    this.#options.clock.clearTimeout(channel?.leftTimer);
    const said = cause || channel?.cause || NORMAL_CAUSE;
    this.#tell({
      type: 'call-status',
      carrierCallId: channelId,
      status: statusOfCause(said, channel?.answered ?? false),
      cause: `q850-${said}`,
    });
    if (!channel?.answered) return;
    const media = [...channel.media];
    this.#commands.run((signal) => this.#options.channels.drop(channelId, media, signal));
  }

  #know(channelId: string): Channel {
    const known = this.#channels.get(channelId) ?? newChannel();
    this.#channels.set(channelId, known);
    // Bounds channels whose end was missed while the connection was down.
    if (this.#channels.size > MAX_CALLS)
      this.#channels.delete(this.#channels.keys().next().value as string);
    return known;
  }

  // ARI does not number its events and never repeats one.
  #tell(event: UnnumberedEvent): void {
    this.#options.listener.event({ eventId: `${this.#since}.${++this.#count}`, ...event });
  }
}
