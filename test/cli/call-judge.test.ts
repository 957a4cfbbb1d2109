import { expect, test } from 'vitest';
import { CliError } from '../../src/cli/cli-error.ts';
import { CallJudge, judgedIn } from '../../src/cli/spoken/call-judge.ts';

const JUDGE = { provider: 'openai', model: 'gpt' };
const say = () => undefined;

type Answer = Awaited<ReturnType<ConstructorParameters<typeof CallJudge>[0]['judgeCall']>>;

/** A service whose model answers so, and what it was asked. */
function service(answer: Answer | Error) {
  const asked: object[] = [];
  return {
    asked,
    async judgeCall(input: object): Promise<Answer> {
      asked.push(input);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

test('a verdict is the model’s, and what cannot be judged rejects', async () => {
  const ask = (answer: Answer | Error) =>
    new CallJudge(service(answer), { judge: JUDGE, budget: { tokens: 9 } }, { judged: 1, say })
      .of('c')('It is friendly.')
      .catch((error: Error) => error.message);
  expect(await ask({ verdict: 'met', tokens: 3 })).toEqual({ met: true, reason: '' });
  const unmet = { verdict: 'unmet', reason: 'It is curt.', tokens: 3 } as const;
  expect(await ask(unmet)).toEqual({ met: false, reason: 'It is curt.' });
  expect(await ask({ verdict: 'not-judged', reason: 'down', tokens: 0 })).toBe('down');
  expect(await ask(new Error('gone'))).toBe('gone');
});

test('the budget is for the whole run: what is left is handed on, and nothing is asked beyond it', async () => {
  const cost = { currency: 'EUR', total: 0.5, lines: [], unpriced: [] };
  const client = service({ verdict: 'met', tokens: 40, cost });
  const budget = { cost: 1.2, tokens: 100 };
  const judge = new CallJudge(client, { judge: JUDGE, budget }, { judged: 4, say });
  expect(judge.costLine).toBeUndefined();
  const all = await Promise.allSettled([1, 2, 3, 4].map((n) => judge.of(`c${n}`)('x')));
  expect(all.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ]);
  expect(client.asked).toMatchObject([
    { callId: 'c1', statement: 'x', judge: JUDGE, budget },
    { callId: 'c2', budget: { cost: 0.7, tokens: 60 } },
    { callId: 'c3', budget: { tokens: 20 } },
  ]);
  expect(judge.costLine).toBe('the judge read and wrote 120 tokens, 1.5 EUR');
});

test('how often a vendor will be asked is said before, and without a limit it is refused', () => {
  const said: string[] = [];
  const make = (options: object, judged = 3) =>
    new CallJudge(
      service({ verdict: 'met', tokens: 0 }),
      { budget: {}, ...options },
      { judged, say: (text) => void said.push(text) },
    );
  expect(() => make({ judge: JUDGE })).toThrow(CliError);
  expect(() => make({ judge: JUDGE })).toThrow('asks openai/gpt some 3 times to judge');
  make({ judge: JUDGE, budget: { tokens: 5 } });
  expect(said).toEqual(['asks openai/gpt some 3 times to judge']);
  make({ judge: JUDGE }, 0);
  make({});
  expect(said).toHaveLength(1);
});

test('without a model nobody judges', async () => {
  const judge = new CallJudge(service(new Error('asked')), { budget: {} }, { judged: 1, say });
  await expect(judge.of('c')('x')).rejects.toThrow('choose a model with --judge');
});

test('conditions to judge are counted in turns and in the whole', () => {
  const judge = { judge: 'x' };
  const expects = [judge, { contains: 'y' }];
  const turns = [{ say: 'a', expect: expects }];
  expect(judgedIn([{ turns, expect: expects }, { expect: [] }])).toBe(2);
});
