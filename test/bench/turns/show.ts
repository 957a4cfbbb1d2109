import { parseArgs } from 'node:util';
import type { StampedCommand } from '../../../src/engine/machine/commands.ts';
import { GENERATED, type GeneratedClass, generate } from './corpus.ts';
import { drive } from './driver.ts';
import { ENGINES } from './engines.ts';
import { measure } from './metrics/measure.ts';
import type { Trace } from './trace.ts';

const HELP = `Usage: node test/bench/turns/show.ts <class> [--seed <n>] [--engine <name>] [--only <measure>] [--id <id>] [--most <n>]

Tells what happened in the scripts of a class that have a measure, such as "cut-ins" or "double responses".`;

function told(command: StampedCommand): string | undefined {
  switch (command.type) {
    case 'llm.start':
      return `${command.type} turn ${command.turn}${command.speculative ? ' draft' : ''}`;
    case 'llm.cancel':
    case 'llm.adopt':
    case 'play.hold':
    case 'play.release':
    case 'play.clear':
    case 'tool.invoke':
    case 'finish':
      return command.type;
    case 'log':
      return `${command.note} ${JSON.stringify(command.data ?? {})}`;
    default:
      return undefined;
  }
}

/** One call as a list of instants: what the caller did, what the engine heard of it, and what it did. */
function tell({ script, acts, commands, sounds, utterances, journal }: Trace): void {
  console.log(`\n${script.id} ${script.sort} ${script.language} ${script.recogniser}`);
  const lines: [number, string][] = [];
  for (const { act, from, to, pauses, broken } of acts) {
    const said = act.parts.map(({ text, pauseMs }) => `${text}${pauseMs ? ` (${pauseMs})` : ''}`);
    lines.push([from, `CALLER ${act.kind}: ${said.join(' ')}`]);
    for (const pause of pauses) lines.push([pause.from, `  pause until ${Math.round(pause.to)}`]);
    lines.push([to, `CALLER ${broken ? 'gives up' : 'done'}`]);
  }
  for (const { from, to, uttId } of sounds) {
    lines.push([from, `HEARD until ${Math.round(to)}: ${utterances.get(uttId)?.text}`]);
  }
  for (const { at, kind, type, data } of journal ?? []) {
    if (kind !== 'event' || /^(play\.|vad\.alive|tts\.|llm\.)/.test(type)) continue;
    lines.push([at, `    < ${type} ${data.text ?? data.p ?? data.db ?? ''}`]);
  }
  for (const command of commands) {
    const shown = told(command);
    if (shown !== undefined) lines.push([command.at, `    > ${shown}`]);
  }
  for (const [at, line] of lines.sort(([a], [b]) => a - b)) {
    console.log(`${String(Math.round(at)).padStart(7)} ${line}`);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    engine: { type: 'string', default: ENGINES[0]?.name ?? '' },
    only: { type: 'string' },
    id: { type: 'string' },
    most: { type: 'string', default: '5' },
  },
});
const [name = ''] = positionals;
const kind = ENGINES.find((engine) => engine.name === values.engine);
if (!(name in GENERATED) || !kind) {
  console.error(HELP);
  process.exitCode = 1;
} else {
  let left = Number(values.most);
  for (const script of generate(Number(values.seed), name as GeneratedClass)) {
    if (left === 0 || (values.id !== undefined && values.id !== script.id)) continue;
    const trace = drive(script, kind, { journal: true });
    if (values.only !== undefined && measure(trace).get(values.only) === 0) continue;
    tell(trace);
    left--;
  }
}
