/** What is done on a transition and when a state is entered or left: a name, or a name with parameters. */
type ActionReference = string | { readonly type: string; readonly params: unknown };

export interface Transition<Target, Guard = string, Action = ActionReference> {
  /** Absent: it is always taken. */
  readonly guard?: Guard;
  /** Absent: the state is neither left nor entered. */
  readonly target?: Target;
  readonly actions?: Action | readonly Action[];
  /** A state that is its own target is left and entered again; a region's targets always are. */
  readonly reenter?: true;
}

/** The first transition whose guard holds is taken; a target alone stands for a transition to it. */
type Transitions<Target, Guard, Action> =
  | Target
  | Transition<Target, Guard, Action>
  | readonly Transition<Target, Guard, Action>[];

export interface Handlers<
  Target,
  Event extends string = string,
  Guard = string,
  Action = ActionReference,
> {
  readonly on?: { readonly [Type in Event]?: Transitions<Target, Guard, Action> };
  /** Looked at after every event, and again as long as one of them changes a state. */
  readonly always?: Transitions<Target, Guard, Action>;
}

export interface StateNode<
  State extends string,
  Event extends string = string,
  Guard = string,
  Action = ActionReference,
> extends Handlers<State, Event, Guard, Action> {
  readonly entry?: Action | readonly Action[];
  readonly exit?: Action | readonly Action[];
}

/**
 * A region is in one of its states at a time. Its own handlers count in each of them, after the state's; their targets
 * are written `.state`, and are left and entered again even if the region is there already.
 */
export interface Region<
  State extends string,
  Event extends string = string,
  Guard = string,
  Action = ActionReference,
> extends Handlers<`.${State}`, Event, Guard, Action> {
  readonly initial: State;
  readonly states: { readonly [Name in State]: StateNode<State, Event, Guard, Action> };
}

/** The state of each region, by the region's name. */
type States<Chart> = { readonly [Name in keyof Chart]: string };

/** What a chart's names stand for. */
export interface Implementations<Chart, Given> {
  /** `chart`: the states at that moment, which is within an event for transitions without one. */
  readonly guards: Readonly<Record<string, (given: Given, chart: Chart) => boolean>>;
  readonly actions: Readonly<Record<string, (given: Given, params: never) => void>>;
}

type Act<Given> = (given: Given) => void;

/** A transition from one state. */
interface Step<Chart, Given> {
  readonly region: keyof Chart;
  readonly guard: ((given: Given, chart: Chart) => boolean) | undefined;
  /** Absent: the state stays. */
  readonly move?: {
    readonly target: string;
    readonly exit: readonly Act<Given>[];
    readonly entry: readonly Act<Given>[];
  };
  readonly actions: readonly Act<Given>[];
}

/** A region's steps from each of its states, in the order in which they are tried. */
interface Choices<Chart, Given> {
  readonly region: keyof Chart;
  readonly from: ReadonlyMap<string, readonly Step<Chart, Given>[]>;
}

// More rounds of transitions without an event than this mean an endless loop.
const MAX_ROUNDS = 1000;

/** One or several, as a list. */
export function listOf<Item>(given: Item | readonly Item[] | undefined): readonly Item[] {
  if (given === undefined) return [];
  return Array.isArray(given) ? given : [given as Item];
}

/** Transitions, however they are written, with their targets by name. */
export function transitionsOf(
  written: Transitions<string, string, ActionReference> | undefined,
): readonly Transition<string>[] {
  return listOf<string | Transition<string>>(written).map((one) => {
    const transition = typeof one === 'string' ? { target: one } : one;
    const { target } = transition;
    return target === undefined ? transition : { ...transition, target: target.replace('.', '') };
  });
}

function named<Part>(kind: string, name: string, parts: Readonly<Record<string, Part>>): Part {
  const part = parts[name];
  if (part === undefined) throw new Error(`the statechart has no ${kind} ${name}`);
  return part;
}

/**
 * A statechart of regions that are active in parallel, each with flat states. It is what SCXML (W3C, 2015) and xstate 5
 * make of such a chart: an event is offered to all regions in the states before it; then all exits are done, last
 * region first, then all transitions, then all entries; then transitions without an event follow until no state
 * changes. It holds no states itself, so all calls share it.
 */
export class Statechart<
  Chart extends States<Chart>,
  Given extends { readonly event: { readonly type: string } },
> {
  readonly #regions: Readonly<Record<keyof Chart, Region<string>>>;
  readonly #implementations: Implementations<Chart, Given>;
  readonly #on = new Map<string, readonly Choices<Chart, Given>[]>();
  readonly #always: readonly Choices<Chart, Given>[];

  constructor(
    regions: Readonly<Record<keyof Chart, Region<string>>>,
    implementations: Implementations<Chart, Given>,
  ) {
    this.#regions = regions;
    this.#implementations = implementations;
    for (const type of this.events) {
      const choices = this.#choices(({ on }) => on?.[type]);
      this.#on.set(type, choices);
    }
    this.#always = this.#choices(({ always }) => always);
  }

  /** The types of the events that it has transitions for. */
  get events(): readonly string[] {
    const nodes = this.#entries().flatMap(([, region]) => [
      region,
      ...Object.values(region.states),
    ]);
    return [...new Set(nodes.flatMap(({ on = {} }) => Object.keys(on)))];
  }

  /** The states that it begins in. Their entry actions are not run. */
  get initial(): Chart {
    return Object.fromEntries(
      this.#entries().map(([name, { initial }]) => [name, initial]),
    ) as unknown as Chart;
  }

  /** Runs the actions of an event; returns the states that it leads to. */
  send(chart: Chart, given: Given): Chart {
    let now = this.#take(this.#on.get(given.event.type) ?? [], chart, given);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const next = this.#take(this.#always, now, given);
      if (next === now) return now;
      now = next;
    }
    throw new Error('the statechart does not come to rest');
  }

  /** Takes one transition of each region that has one; the same chart if no state changes. */
  #take(choices: readonly Choices<Chart, Given>[], chart: Chart, given: Given): Chart {
    const steps: Step<Chart, Given>[] = [];
    for (const { region, from } of choices) {
      const step = from
        .get(chart[region])
        ?.find(({ guard }) => guard === undefined || guard(given, chart));
      if (step) steps.push(step);
    }
    for (let i = steps.length - 1; i >= 0; i--)
      for (const act of steps[i]?.move?.exit ?? []) act(given);
    for (const { actions } of steps) for (const act of actions) act(given);
    let next = chart;
    for (const { region, move } of steps) {
      if (!move) continue;
      if (next[region] !== move.target) next = { ...next, [region]: move.target };
      for (const act of move.entry) act(given);
    }
    return next;
  }

  #choices(
    written: (node: Handlers<string>) => Transitions<string, string, ActionReference> | undefined,
  ): readonly Choices<Chart, Given>[] {
    return this.#entries().flatMap(([region, { states, ...own }]) => {
      const regional = transitionsOf(written(own)).map((one) => ({
        ...one,
        reenter: true as const,
      }));
      const from = Object.entries(states).flatMap(([state, node]) => {
        const steps = [...transitionsOf(written(node)), ...regional].map((transition) =>
          this.#step(region, state, transition),
        );
        return steps.length > 0 ? [[state, steps] as const] : [];
      });
      return from.length > 0 ? [{ region, from: new Map(from) }] : [];
    });
  }

  #step(region: keyof Chart, from: string, transition: Transition<string>): Step<Chart, Given> {
    const { guard, target, actions, reenter } = transition;
    const { states } = this.#regions[region];
    const moves = target !== undefined && (target !== from || reenter);
    return {
      region,
      guard: guard === undefined ? undefined : named('guard', guard, this.#implementations.guards),
      actions: this.#acts(actions),
      ...(moves
        ? {
            move: {
              target,
              exit: this.#acts(states[from]?.exit),
              entry: this.#acts(states[target]?.entry),
            },
          }
        : {}),
    };
  }

  #acts(actions: ActionReference | readonly ActionReference[] | undefined): readonly Act<Given>[] {
    return listOf(actions).map((action) => {
      const { type, params } =
        typeof action === 'string' ? { type: action, params: undefined } : action;
      const run = named('action', type, this.#implementations.actions);
      return (given) => run(given, params as never);
    });
  }

  #entries(): readonly (readonly [keyof Chart, Region<string>])[] {
    return Object.entries(this.#regions) as unknown as [keyof Chart, Region<string>][];
  }
}
