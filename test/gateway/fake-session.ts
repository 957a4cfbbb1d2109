import { EventEmitter, once } from 'node:events';
import type { CallPlayback } from '../../src/contract/call.ts';
import type { Redemption } from '../../src/gateway/web-socket.ts';
import type { LegSink, MediaLeg } from '../../src/ports/media.ts';

export type Heard =
  | { readonly type: 'audio'; readonly samples: readonly number[] }
  | { readonly type: 'dtmf'; readonly digit: string }
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'cleared'; readonly playedMs: number }
  | { readonly type: 'playback'; readonly stats: CallPlayback }
  | { readonly type: 'hangup' }
  | { readonly type: 'lost'; readonly reason: string }
  | { readonly type: 'resumed' };

/** The session's side of a leg: remembers what the leg told it. */
export class FakeSession {
  readonly heard: Heard[] = [];
  #leg: MediaLeg | undefined;
  #read = 0;
  readonly #emitter = new EventEmitter();

  readonly sink: LegSink = {
    audio: (pcm) => this.#add({ type: 'audio', samples: [...pcm] }),
    dtmf: (digit) => this.#add({ type: 'dtmf', digit }),
    mark: (name) => this.#add({ type: 'mark', name }),
    cleared: (playedMs) => this.#add({ type: 'cleared', playedMs }),
    playback: (stats) => this.#add({ type: 'playback', stats }),
    hangup: () => this.#add({ type: 'hangup' }),
    lost: (reason) => this.#add({ type: 'lost', reason }),
    resumed: () => this.#add({ type: 'resumed' }),
  };

  get leg(): MediaLeg {
    if (!this.#leg) throw new Error('no leg was attached');
    return this.#leg;
  }

  get isAttached(): boolean {
    return this.#leg !== undefined;
  }

  attach(leg: MediaLeg): LegSink {
    if (this.#leg) throw new Error('a leg is attached once');
    this.#leg = leg;
    this.#emitter.emit('attached');
    return this.sink;
  }

  async attached(): Promise<MediaLeg> {
    if (!this.#leg) await once(this.#emitter, 'attached');
    return this.leg;
  }

  /** The next thing that the leg told, in order. */
  async next(): Promise<Heard> {
    while (this.#read >= this.heard.length) await once(this.#emitter, 'heard');
    return this.heard[this.#read++] as Heard;
  }

  #add(heard: Heard): void {
    this.heard.push(heard);
    this.#emitter.emit('heard');
  }
}

/** Connect tokens that work once, each for a session of its own. */
export class FakeCalls {
  readonly #tokens = new Map<string, { callId: string; session: FakeSession }>();

  issue(token: string, callId = 'WC-1'): FakeSession {
    const session = new FakeSession();
    this.#tokens.set(token, { callId, session });
    return session;
  }

  async redeem(token: string): Promise<Redemption> {
    const found = this.#tokens.get(token);
    if (!found) return { outcome: 'unknown' };
    this.#tokens.delete(token);
    return {
      outcome: 'accepted',
      callId: found.callId,
      attach: (leg) => found.session.attach(leg),
    };
  }
}
