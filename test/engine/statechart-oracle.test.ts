import { expect, test } from 'vitest';
import { createActor, setup, stateIn } from 'xstate';
import { CHART_EVENTS } from '../../src/engine/machine/chart-events.ts';
import { REGIONS } from '../../src/engine/machine/machine.ts';
import { type Region, Statechart } from '../../src/engine/machine/statechart.ts';
import { Random } from '../bench/turns/random.ts';
import { runs, testSeed } from '../support/effort.ts';

const CHARTS = runs({ usual: 300, long: 5000 });
const EVENTS = 40;

type Regions = Readonly<Record<string, Region<string>>>;
type Chart = Readonly<Record<string, string>>;
/** `holds`: what each guard answers while the event is handled. */
interface Event {
  readonly type: string;
  readonly holds: (guard: string) => boolean;
}
interface Given {
  readonly event: Event;
}

const statesOf = (regions: Regions) =>
  Object.entries(regions).flatMap(([region, { states }]) =>
    Object.keys(states).map((state) => ({ region, state, guard: `in ${region}.${state}` })),
  );

/** What both sides are told of a chart, and the actions that they have done. */
function implementations(regions: Regions, names: readonly string[], log: unknown[]) {
  const parts = JSON.stringify(regions);
  const actions = names.filter((name) => parts.includes(`"${name}"`));
  const leaves = names.map((name) => [name, ({ event }: Given) => event.holds(name)] as const);
  return {
    guards: Object.fromEntries(leaves),
    actions: Object.fromEntries(
      actions.map((name) => [
        name,
        ({ event }: Given, params: unknown) => log.push([name, params, event.type]),
      ]),
    ),
  };
}

/** Each name that a chart uses, of guards and actions alike. */
const namesIn = (regions: Regions): string[] => [
  ...new Set(
    [...JSON.stringify(regions).matchAll(/"([^"]+)"/g)]
      .map(([, name]) => name as string)
      .filter((name) => !name.startsWith('in ')),
  ),
];

function byParley(regions: Regions, log: unknown[]) {
  const { guards, actions } = implementations(regions, namesIn(regions), log);
  const inState = statesOf(regions).map(
    ({ region, state, guard }) =>
      [guard, (_given: Given, chart: Chart) => chart[region] === state] as const,
  );
  const chart = new Statechart<Chart, Given>(regions, {
    guards: { ...guards, ...Object.fromEntries(inState) },
    actions,
  });
  let now = chart.initial;
  return (event: Event): Chart => {
    now = chart.send(now, { event });
    return now;
  };
}

function byXstate(regions: Regions, log: unknown[]) {
  const { guards, actions } = implementations(regions, namesIn(regions), log);
  const inState = statesOf(regions).map(
    ({ region, state, guard }) => [guard, stateIn({ [region]: state })] as const,
  );
  const machine = setup({
    types: {} as { events: Event },
    guards: { ...guards, ...Object.fromEntries(inState) } as never,
    actions: actions as never,
  }).createMachine({ type: 'parallel', states: regions } as never);
  const begins = Object.entries(regions).map(([name, { initial }]) => [name, initial]);
  const actor = createActor(machine, {
    snapshot: machine.resolveState({ value: Object.fromEntries(begins) }),
  });
  let fault: unknown;
  actor.subscribe({
    error: (error) => {
      fault = error;
    },
  });
  actor.start();
  return (event: Event): Chart => {
    actor.send(event);
    if (fault !== undefined) throw fault;
    return actor.getSnapshot().value as Chart;
  };
}

/** Both do the same actions in the same order, and come to the same states. Returns how many actions they did. */
function expectSame(regions: Regions, events: readonly Event[]): number {
  const done: [unknown[], unknown[]] = [[], []];
  const ours = byParley(regions, done[0]);
  const theirs = byXstate(regions, done[1]);
  for (const event of events) {
    const states = ours(event);
    expect({ states, done: done[0] }).toEqual({ states: theirs(event), done: done[1] });
  }
  return done[0].length;
}

/**
 * A chart of one to five regions. Transitions without an event lead to later states only, so that they come to an end.
 * Only those of the first region have actions: xstate does them in the order in which the states were entered.
 */
function drawChart(chance: Random): Regions {
  const sizes = Array.from({ length: chance.int(1, 5) }, () => chance.int(1, 4));
  const guard = () => {
    const region = chance.int(0, sizes.length - 1);
    const state = chance.int(0, (sizes[region] as number) - 1);
    return chance.chance(0.4) ? `in r${region}.s${state}` : `g${chance.int(0, 3)}`;
  };
  const actions = (place: string) =>
    Array.from({ length: chance.int(0, 2) }, (_, i) =>
      chance.chance(0.3) ? { type: 'told', params: { place, i } } : `a${chance.int(0, 5)}`,
    );
  const maybe = <Part>(probability: number, part: () => Part) =>
    chance.chance(probability) ? part() : {};
  const transition = (place: string, dot: '' | '.', size: number) => ({
    ...maybe(0.6, () => ({ guard: guard() })),
    ...maybe(0.7, () => ({ target: `${dot}s${chance.int(0, size - 1)}` })),
    ...maybe(0.6, () => ({ actions: actions(place) })),
    ...maybe(dot === '' ? 0.2 : 0, () => ({ reenter: true })),
  });
  const on = (place: string, dot: '' | '.', size: number) =>
    Object.fromEntries(
      Array.from({ length: chance.int(0, 4) }, () => {
        const type = `e${chance.int(0, 5)}`;
        const many = Array.from({ length: chance.int(1, 3) }, () =>
          transition(`${place} ${type}`, dot, size),
        );
        return [type, chance.chance(0.2) ? `${dot}s${chance.int(0, size - 1)}` : many];
      }),
    );
  const always = (place: string, r: number, target: string | undefined) =>
    maybe(0.3, () => ({
      always: [
        {
          guard: guard(),
          ...(target === undefined ? {} : { target }),
          ...(r === 0 ? { actions: actions(place) } : {}),
        },
      ],
    }));
  const regions = sizes.map((size, r) => {
    const states = Array.from({ length: size }, (_, s) => {
      const place = `r${r}.s${s}`;
      const later = s + 1 < size ? `s${chance.int(s + 1, size - 1)}` : undefined;
      const node = {
        entry: actions(`${place} entry`),
        exit: actions(`${place} exit`),
        on: on(place, '', size),
        ...always(`${place} always`, r, later),
      };
      return [`s${s}`, node];
    });
    const region = {
      initial: `s${chance.int(0, size - 1)}`,
      on: on(`r${r}`, '.', size),
      ...always(`r${r} always`, r, `.s${size - 1}`),
      states: Object.fromEntries(states),
    };
    return [`r${r}`, region];
  });
  return Object.fromEntries(regions);
}

test('any chart does what xstate makes of it', () => {
  const seed = testSeed(1);
  let done = 0;
  for (let i = 0; i < CHARTS; i++) {
    const chance = new Random(`${seed}/${i}`);
    const regions = drawChart(chance);
    const events = Array.from({ length: EVENTS }, (): Event => {
      const held = new Set(['g0', 'g1', 'g2', 'g3'].filter(() => chance.chance(0.5)));
      return { type: `e${chance.int(0, 5)}`, holds: (guard) => held.has(guard) };
    });
    done += expectSame(regions, events);
  }
  expect(done).toBeGreaterThan(CHARTS * EVENTS);
});

test("a call's chart does what xstate makes of it, whatever its guards say", () => {
  const chance = new Random(testSeed(2));
  const regions: Regions = REGIONS;
  const opposites = new Map([
    ['isNotQuiet', 'isQuiet'],
    ['keepsNoMutedReply', 'keepsMutedReply'],
  ]);
  for (let call = 0; call < CHARTS / 10; call++) {
    const events = Array.from({ length: 200 }, (): Event => {
      const said = chance.fork(call, chance.next());
      const answers = new Map<string, boolean>();
      const holds = (guard: string): boolean => {
        const opposite = opposites.get(guard);
        if (opposite !== undefined) return !holds(opposite);
        const known = answers.get(guard);
        if (known !== undefined) return known;
        const answer = said.fork(guard).chance(0.5);
        answers.set(guard, answer);
        return answer;
      };
      return { type: chance.pick(CHART_EVENTS), holds };
    });
    expect(expectSame(regions, events)).toBeGreaterThan(20);
  }
});

test('a chart that names what there is not is refused', () => {
  const made = (state: object) => () =>
    new Statechart<{ r: string }, Given>(
      { r: { initial: 'a', states: { a: state } } },
      { guards: {}, actions: {} },
    );
  expect(made({ on: { any: { guard: 'open' } } })).toThrow('has no guard open');
  expect(made({ on: { any: { actions: 'close' } } })).toThrow('has no action close');
});

test('a chart that never comes to rest is stopped', () => {
  const states = { a: { always: 'b' }, b: { always: 'a' } };
  const chart = new Statechart<{ r: string }, Given>(
    { r: { initial: 'a', states } },
    { guards: {}, actions: {} },
  );
  const event = { type: 'any', holds: () => true };
  expect(() => chart.send(chart.initial, { event })).toThrow('does not come to rest');
});
