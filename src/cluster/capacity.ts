import type { Bus } from '../ports/bus.ts';

interface CapacityDeps {
  readonly bus: Bus;
  /** The other processes of the service. */
  readonly siblings: () => readonly string[];
  /** True if this process can take another call; `size` is its number of calls. */
  readonly local: { readonly hasRoom: boolean; readonly draining: boolean; readonly size: number };
}

interface Answer {
  readonly hasRoom: boolean;
  readonly calls: number;
}

const ROOM = 'room';
const ASK_MS = 500;

/** Finds a process with room for a call. Connections arrive evenly across processes, but calls do not end evenly. */
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

  /** True if this process is about to end. */
  get isClosing(): boolean {
    return this.#deps.local.draining;
  }

  get isHere(): boolean {
    const { hasRoom, draining } = this.#deps.local;
    return hasRoom && !draining;
  }

  /** The sibling process with room and the fewest calls; undefined when none reports room in time. */
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

  /** True if any process of the service has room. */
  async isAnywhere(): Promise<boolean> {
    return this.isHere || (await this.elsewhere()) !== undefined;
  }
}
