import { Document, isMap, isSeq, type YAMLMap } from 'yaml';
import { OPERATOR_OUTCOMES } from '../contract/assistant-test.ts';
import { asText } from '../lib/json-frame.ts';
import type { PastCall } from './past-call.ts';
import { transfersOf } from './transfers.ts';

const MAX_TURNS = 50;
const MAX_OPERATORS = 10;
const MAX_NAME_CHARS = 60;
const MAX_COMMENT_CHARS = 300;
/** How a transcript has the keys that a caller pressed. */
const KEYS = /^\[keypad\] ([0-9*#]{1,32})$/;
/** Tools that the service itself answers from what the team has. */
const REAL = ['knowledgeBase'];

/** Writes a call as a test: the caller's words, the tools' answers, and expectations to look through. Pure. */
export function callAsTest({ id, startAt, endReason, messages, lines }: PastCall): string {
  const turns: { readonly say: string; readonly answers: string[] }[] = [];
  const opening: string[] = [];
  for (const { role, text } of messages) {
    if (role === 'user') turns.push({ say: text, answers: [] });
    else if (role === 'assistant') (turns.at(-1)?.answers ?? opening).push(text);
  }
  const said = turns.filter(({ say }) => say.trim() !== '').slice(0, MAX_TURNS);
  const called = callsOf(lines);
  const names = [...new Set(called.map(({ name }) => name))];
  const tools = Object.fromEntries(
    names
      .filter((name) => !REAL.includes(name))
      .map((name) => [
        name,
        called
          .filter((call) => call.name === name)
          .map(({ answer, arguments: when }) => ({ when, ...answer })),
      ]),
  );
  const transfers = transfersOf(lines.map((line) => ({ ...line, atMs: 0 })));
  const operators = transfers.map(({ result }) =>
    OPERATOR_OUTCOMES.find((outcome) => outcome === result),
  );
  const expect = [
    ...called
      .filter(({ name }) => !REAL.includes(name))
      .map(({ name, arguments: args }) => ({ tool: { name, arguments: args } })),
    ...transfers.map(({ to, result }) => ({
      transfer: { to, ...(result === undefined ? {} : { result }) },
    })),
    ...(endReason && endReason !== 'user-hung-up' ? [{ outcome: endReason }] : []),
  ];
  const first = said[0]?.say ?? 'nothing was said';
  const test = {
    name: first.length > MAX_NAME_CHARS ? `${first.slice(0, MAX_NAME_CHARS)}…` : first,
    fromCall: id,
    at: startAt.toISOString(),
    ...(names.some((name) => !REAL.includes(name)) ? { tools } : {}),
    ...(operators.length > 0
      ? { operator: operators.slice(0, MAX_OPERATORS).map((outcome) => outcome ?? 'no-answer') }
      : {}),
    turns: said.length > 0 ? said.map(({ say }) => turnOf(say)) : [{ waitSeconds: 10 }],
    ...(expect.length > 0 ? { expect } : {}),
  };
  const document = new Document({ tests: [test] }, { aliasDuplicateObjects: false });
  document.commentBefore =
    ' Say with expect what the assistant should have done. The test is deleted with its call.';
  const list = document.getIn(['tests', 0, 'turns']);
  if (isSeq(list)) {
    for (const [index, item] of list.items.entries()) {
      const answers = said[index]?.answers.join(' ').replace(/\s+/g, ' ') ?? '';
      if (isMap(item) && answers !== '') commentAfter(item, answers);
    }
  }
  return document.toString({ lineWidth: 100 });
}

function turnOf(said: string): { readonly say: string } | { readonly press: string } {
  const press = KEYS.exec(said)?.[1];
  return press === undefined ? { say: said } : { press };
}

function commentAfter(item: YAMLMap, answers: string): void {
  const short =
    answers.length > MAX_COMMENT_CHARS ? `${answers.slice(0, MAX_COMMENT_CHARS)}…` : answers;
  item.comment = ` The answer was: ${short}`;
}

interface PastToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly answer: { readonly result: unknown } | { readonly error: string };
}

function callsOf(lines: PastCall['lines']): readonly PastToolCall[] {
  return lines
    .filter(({ type }) => type === 'tool.invoke')
    .map(({ data }) => {
      const answer = lines.find(
        (line) => line.type !== 'tool.invoke' && line.data.toolCallId === data.toolCallId,
      );
      const { result, error } = answer?.data ?? {};
      return {
        name: asText(data.name),
        arguments: (data.arguments ?? {}) as Readonly<Record<string, unknown>>,
        answer:
          typeof result === 'string'
            ? { result: parsedResult(result) }
            : { error: asText(error) || 'the tool gave no answer' },
      };
    });
}

/** As an object where it is one: that is easier to read and to change. */
function parsedResult(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}
