import type { Clock } from '../../ports/clock.ts';
import type { EmulatedCall } from './emulated-carrier.ts';
import { Handset } from './handset.ts';

export const APPLICATION = 'parley';

/** Q.850 causes. */
export const CAUSES = { normal: 16, busy: 17, 'no-answer': 19, failed: 34, rejected: 21 } as const;

/** The SIP status of a party that was sent a REFER, by outcome. */
export const SIP_CODES: Readonly<Record<string, string>> = {
  busy: '486',
  'no-answer': '480',
  failed: '503',
  refuse: '403',
};

/** One channel between the emulated Asterisk and a telephone. */
export class AsteriskCall implements EmulatedCall {
  readonly carrierCallId: string;
  readonly from: string;
  readonly to: string;
  readonly callerName: string;
  readonly handset: Handset;
  readonly media = new Set<string>();
  /** True if the dialplan created it, false if ARI did. */
  readonly isFromDialplan: boolean;
  isAnswered = false;
  /** Its dialplan context; undefined in the application. */
  context: string | undefined;
  /** True if the application gets its events even outside the application. */
  isWatched: boolean;
  readonly variables = new Map<string, string>();
  sockets = 0;
  readonly #connected = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<string>();
  readonly #onEnd: (call: AsteriskCall, cause: number) => void;
  #isOver = false;

  constructor(options: {
    readonly clock: Clock;
    readonly id: string;
    readonly from: string;
    readonly to: string;
    readonly callerName: string;
    readonly isFromDialplan: boolean;
    readonly onEnd: (call: AsteriskCall, cause: number) => void;
  }) {
    this.carrierCallId = options.id;
    this.from = options.from;
    this.to = options.to;
    this.callerName = options.callerName;
    this.isFromDialplan = options.isFromDialplan;
    this.isWatched = !options.isFromDialplan;
    this.handset = new Handset(options.clock);
    this.#onEnd = options.onEnd;
    this.#connected.promise.catch(() => undefined);
  }

  get connected(): Promise<void> {
    return this.#connected.promise;
  }

  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  hangup(): void {
    this.end(CAUSES.normal);
  }

  hasMedia(): void {
    this.#connected.resolve();
  }

  end(cause: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.handset.close();
    this.#connected.reject(new Error(`the channel ended (${cause}) before it had media`));
    this.#onEnd(this, cause);
    this.#ended.resolve(String(cause));
  }
}

/** A channel as ARI shows it. One that ARI has dialled is in the application once it is answered. */
export function viewOf(call: AsteriskCall, state: string) {
  const { context, isFromDialplan, isAnswered } = call;
  const [app_name, app_data] =
    context !== undefined
      ? ['Transfer', '']
      : isFromDialplan
        ? ['Stasis', `${APPLICATION},inbound`]
        : isAnswered
          ? ['Stasis', `${APPLICATION},outbound`]
          : ['AppDial2', '(Outgoing Line)'];
  return {
    id: call.carrierCallId,
    state,
    caller: { number: call.from, name: call.callerName },
    dialplan: {
      ...{ context: context ?? 'from-trunk', exten: call.to.replace('+', '') },
      ...{ app_name, app_data },
    },
  };
}
