import { parseArgs } from 'node:util';

/** One benchmark: runs, prints its table, and returns what `--json` prints as the last line. */
export interface Bench {
  readonly about: string;
  run(options: BenchOptions): Promise<Readonly<Record<string, unknown>>>;
}

export interface BenchOptions {
  readonly seed: number;
  /** Smaller is quicker and rougher. */
  readonly scale: number;
  /** Also what can be traded for what, where a benchmark knows that; takes minutes. */
  readonly curve: boolean;
  /** How many calls at once, for the load; several are measured one after the other. */
  readonly calls?: readonly number[];
  /** How long each load is measured, and how long it runs before: a service is young for a moment only. */
  readonly seconds?: number;
  readonly settleSeconds?: number;
  /** How often each load is measured, the floor before and after each; the middle one counts. */
  readonly rounds: number;
  /** Which attacks, by name; absent: all. */
  readonly attacks?: readonly string[];
  /** Which peers, by name; absent: all. */
  readonly peers?: readonly string[];
  /** Peers with a few calls only: no search for the most that a core holds. */
  readonly fewOnly?: boolean;
  /** Writes the figures into the page of the documentation that has them. */
  readonly write: boolean;
  /** Sockets of the load: carrier, web or both. */
  readonly wire: string;
  /** Callers of the load never say a word. */
  readonly silent: boolean;
  /** Ends the load with half as many calls again as there is time for. */
  readonly overload: boolean;
  /** The loaded service has one core to itself, whoever loads it the others. */
  readonly oneCore: boolean;
  /** Where the load writes its figures, its CPU profile, and what asked for memory. */
  readonly report?: string;
  readonly profile?: string;
  readonly allocations?: string;
  /** Recordings of the loop to simulate from; absent: they are made. */
  readonly from?: string;
  /** Where the load writes each late reply with what it waited for. */
  readonly trace?: string;
}

const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  turn: async () => (await import('./turn.ts')).bench,
  start: async () => (await import('./start.ts')).bench,
  loop: async () => (await import('./loop.ts')).bench,
  rest: async () => (await import('./rest.ts')).bench,
  knowledge: async () => (await import('./knowledge.ts')).bench,
  stream: async () => (await import('./stream.ts')).bench,
  turns: async () => (await import('./turns.ts')).bench,
  'turns-sound': async () => (await import('./turns-sound.ts')).bench,
  sound: async () => (await import('./sound.ts')).bench,
  vad: async () => (await import('./vad.ts')).bench,
  growth: async () => (await import('./growth.ts')).bench,
  journal: async () => (await import('./journal.ts')).bench,
  nats: async () => (await import('./nats.ts')).bench,
  failover: async () => (await import('./failover.ts')).bench,
  'take-over': async () => (await import('./take-over.ts')).bench,
  calls: async () => (await import('./calls.ts')).bench,
  processes: async () => (await import('./processes.ts')).bench,
  cores: async () => (await import('./cores.ts')).bench,
  abuse: async () => (await import('./abuse.ts')).bench,
  console: async () => (await import('./console.ts')).bench,
};

/** Run only where they are named: one runs others of these, one installs half a gigabyte. */
const README = 'readme';
const ONLY_NAMED: typeof BENCHES = {
  [README]: async () => (await import('./readme.ts')).bench,
  peers: async () => (await import('./peers.ts')).bench,
};

const HELP = `Usage: npm run bench -- [name...] [--seed <n>] [--scale <x>] [--curve] [--json]

Benchmarks: ${Object.keys(BENCHES).join(', ')}. Without a name, all of them.
${README} writes all tables of the documentation anew, in three rounds each.
peers installs LiveKit Agents for Node from npm and puts the same calls on it and on Parley.

The load (calls; growth: calls one after the other; abuse: calls beside attacks, --seconds of each) also takes:
  --calls <n,...>     calls at once (default 50; with --curve 1, 50, 100, 200, 300)
  --seconds <n>       of each load (default 40)
  --settle <n>        seconds that it runs before (default 45)
  --rounds <n>        how often each is measured; of each figure the middle one counts (default 1)
  --attacks <name,...>  of abuse, these attacks only; none: a window without one
  --peers <name,...>  of peers, these only
  --few-only          of peers, no search for the calls that a core holds
  --write             of abuse, calls, console, cores, failover, knowledge, nats, peers, processes, take-over and turns-sound, writes the tables into README.md and docs
  --wire <which>      carrier, web or both (default both)
  --silent            callers that never say a word
  --overload          ends with half as many calls again as there is time for (MAX_LAG_MS in the environment holds)
  --report <file>     writes the figures there, JSON; of cores, the recordings that it simulates from
  --from <file>       of cores, simulates from such recordings
  --one-core          the thread of the calls on a core of its own, all else on the others (Linux)
  --profile <file>    writes the service's CPU profile there
  --allocations <file>  writes there what asked for memory, whatever became of it
  --trace <file>      tells what late replies waited for, and writes each of them there`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '1' },
      scale: { type: 'string', default: '1' },
      curve: { type: 'boolean', default: false },
      calls: { type: 'string' },
      seconds: { type: 'string' },
      settle: { type: 'string' },
      rounds: { type: 'string', default: '1' },
      attacks: { type: 'string' },
      peers: { type: 'string' },
      'few-only': { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      wire: { type: 'string', default: 'both' },
      overload: { type: 'boolean', default: false },
      silent: { type: 'boolean', default: false },
      report: { type: 'string' },
      profile: { type: 'string' },
      allocations: { type: 'string' },
      trace: { type: 'string' },
      from: { type: 'string' },
      'one-core': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
  const unknown = names.find((name) => !(name in ONLY_NAMED) && !(name in BENCHES));
  if (unknown) throw new Error(`There is no benchmark "${unknown}".\n\n${HELP}`);
  const { curve, write, wire, silent, overload, report, profile, allocations, trace, from } =
    values;
  const options: BenchOptions = {
    seed: Number(values.seed),
    scale: Number(values.scale),
    curve,
    write,
    rounds: Number(values.rounds),
    wire,
    silent,
    overload,
    oneCore: values['one-core'],
    ...(values.calls === undefined ? {} : { calls: values.calls.split(',').map(Number) }),
    ...(values.seconds === undefined ? {} : { seconds: Number(values.seconds) }),
    ...(values.settle === undefined ? {} : { settleSeconds: Number(values.settle) }),
    ...(values.attacks === undefined ? {} : { attacks: values.attacks.split(',') }),
    ...(values.peers === undefined ? {} : { peers: values.peers.split(',') }),
    fewOnly: values['few-only'],
    ...(report === undefined ? {} : { report }),
    ...(profile === undefined ? {} : { profile }),
    ...(allocations === undefined ? {} : { allocations }),
    ...(trace === undefined ? {} : { trace }),
    ...(from === undefined ? {} : { from }),
  };
  const results: Record<string, unknown> = {};
  for (const name of names) {
    const bench = await (BENCHES[name] ?? ONLY_NAMED[name])?.();
    if (!bench) continue;
    console.log(`\n${name}: ${bench.about}`);
    results[name] = await bench.run(options);
  }
  if (values.json)
    console.log(JSON.stringify(names.length === 1 ? results[names[0] as string] : results));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
