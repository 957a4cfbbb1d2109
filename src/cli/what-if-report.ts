import type {
  CallFigures,
  SummedFigures,
  WhatIf,
  WhatIfTable,
  WhatIfTurn,
} from '../client/api.generated.ts';

const WIDTH = 60;

function askedText({ requests, tokens, cost, stopped }: NonNullable<WhatIf['asked']>): string {
  const price = cost ? `, ${cost.total} ${cost.currency}` : '';
  const end = stopped === undefined ? '' : `; ${stopped}: what it was not asked is unknown`;
  const times = requests === 1 ? 'once' : `${requests} times`;
  return `the model was asked ${times}, ${tokens} tokens${price}${end}`;
}

/** One call and what would have happened, turn by turn. */
export function whatIfReport({
  callId,
  divergence,
  turns,
  recorded,
  replayed,
  cost,
  asked,
  notReplayed,
  notes,
}: WhatIf): string {
  const lines = [
    divergence
      ? `${callId}: the same until ${seconds(divergence.atMs)}, where ${divergence.what} differs`
      : `${callId}: nothing would have been otherwise`,
    '',
    ...turns.flatMap((turn) => [
      `${turn.certainty.padEnd(10)}${described(turn.replayed)}`,
      ...(isSame(turn.recorded, turn.replayed)
        ? []
        : [`${' '.repeat(6)}was ${described(turn.recorded)}`]),
    ]),
    '',
    figuresTable(recorded, replayed),
    ...(cost ? [`cost, estimated: ${cost.recorded} → ${cost.replayed} ${cost.currency}`] : []),
    ...(asked ? [askedText(asked)] : []),
    '',
    ...(notReplayed.length > 0 ? [`Not shown by a replay: ${notReplayed.join(', ')}`] : []),
    ...notes,
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Many calls and what they come to together. */
export function whatIfTable({
  calls,
  skipped,
  remaining,
  recorded,
  replayed,
  notReplayed,
}: WhatIfTable): string {
  const same = calls.filter((call) => call.same).length;
  const unknown = calls.filter(({ unknownTurns }) => unknownTurns > 0).length;
  const lines = [
    `${calls.length} calls: ${same} would have been the same, ${unknown} have turns that nobody can know`,
    '',
    figuresTable(recorded, replayed),
    '',
    ...skipped.map(({ callId, reason }) => `skipped ${callId}: ${reason}`),
    ...(remaining > 0 ? [`${remaining} more calls match and were not looked at`] : []),
    ...(notReplayed.length > 0 ? [`Not shown by a replay: ${notReplayed.join(', ')}`] : []),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

const ROWS: readonly (readonly [string, keyof SummedFigures, (value: number) => string])[] = [
  ['turns', 'turns', String],
  ['gap p50', 'gapP50Ms', milliseconds],
  ['gap p95', 'gapP95Ms', milliseconds],
  ['cut-ins', 'cutIns', String],
  ['replies lost', 'repliesLost', String],
  ['tools', 'tools', String],
  ['tools failed', 'toolsFailed', String],
  ['duration', 'durationMs', seconds],
];

function figuresTable(
  recorded: SummedFigures & Partial<CallFigures>,
  replayed: SummedFigures & Partial<CallFigures>,
): string {
  const row = (name: string, was: string, is: string) =>
    `${name.padEnd(16)}${was.padStart(16)}${is.padStart(16)}`;
  const cell = (value: number | null, show: (value: number) => string) =>
    value === null ? '–' : show(value);
  const counted = [
    ['model requests', 'modelRequests'],
    ['input tokens', 'inputTokens'],
    ['output tokens', 'outputTokens'],
    ['characters said', 'spokenCharacters'],
  ] as const;
  return [
    row('', 'recorded', 'replayed'),
    ...ROWS.map(([name, field, show]) =>
      row(name, cell(recorded[field], show), cell(replayed[field], show)),
    ),
    ...counted.flatMap(([name, field]) =>
      recorded[field] === undefined
        ? []
        : [row(name, String(recorded[field]), String(replayed[field]))],
    ),
    ...(recorded.endReason === undefined
      ? []
      : [row('ended', recorded.endReason ?? '–', replayed.endReason ?? '–')]),
  ].join('\n');
}

function described(turn: WhatIfTurn | undefined): string {
  if (!turn) return '(nothing)';
  const { user, assistant, answerMs, tools, cutIn, lost } = turn;
  const marks = [
    ...(answerMs === undefined ? [] : [milliseconds(answerMs)]),
    ...tools.map(({ name, outcome }) => `${name}: ${outcome}`),
    ...(cutIn ? ['cut in'] : []),
    ...(lost ? ['not heard to the end'] : []),
  ];
  const words = [user && `“${short(user)}”`, assistant && `→ “${short(assistant)}”`].filter(
    Boolean,
  );
  return `${words.join(' ')}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`;
}

const isSame = (was: WhatIfTurn | undefined, is: WhatIfTurn | undefined) =>
  described(was) === described(is);

const short = (text: string) => (text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text);

function milliseconds(ms: number): string {
  return `${Math.round(ms)} ms`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
