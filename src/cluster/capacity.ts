import type { Bus } from '../ports/bus.ts';

interface CapacityDeps {
  readonly bus: Bus;
  /** The other processes of the service. */
  readonly siblings: () => readonly string[];
  /** Whether this one takes another call now, and how many it has. */
  readonly local: { readonly hasRoom: boolean; readonly draining: boolean; readonly size: number };
}

interface Answer {
  readonly hasRoom: boolean;
  readonly calls: number;
}

const ROOM = 'room';
const ASK_MS = 500;

/** Where the service still has room for a call: connections come in turn, calls do not end in turn. */
export class Capacity {
  readonly #deps: CapacityDeps;

  constructor(deps: CapacityDeps) {
    this.#deps = deps;
    const { local } = deps;
    deps.bus.answer(
      ROOM,
      async (): Promise<Answer> => ({ hasRoom: this.isHere, calls: local.size }),
    );
  }

  get isHere(): boolean {
    const { hasRoom, draining } = this.#deps.local;
    return hasRoom && !draining;
  }

  /** The other process with the fewest calls that has room; undefined: none has, or says so in time. */
  async elsewhere(): Promise<string | undefined> {
    const { bus, siblings } = this.#deps;
    const asked = siblings().map(async (id) => {
      const answer = (await bus.ask(id, ROOM, null, { timeoutMs: ASK_MS })) as Answer;
      return { id, ...answer };
    });
    return (await Promise.allSettled(asked))
      .flatMap((one) => (one.status === 'fulfilled' && one.value.hasRoom ? [one.value] : []))
      .toSorted((a, b) => a.calls - b.calls)[0]?.id;
  }

  /** Whether any process of the service has room. */
  async isAnywhere(): Promise<boolean> {
    return this.isHere || (await this.elsewhere()) !== undefined;
  }
}
