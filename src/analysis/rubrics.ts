import type { JsonObject } from '../lib/json-frame.ts';
/** A way to rate a call: the instruction to the model, and the text form of its verdict. */
export interface Rubric {
  readonly instruction: string;
  /** JSON Schema of the verdict. */
  readonly schema: JsonObject;
  render(verdict: JsonObject): string;
}

const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const oneOf = (...values: readonly string[]): JsonObject => ({ type: 'string', enum: values });
const number = (minimum: number, maximum: number): JsonObject => ({
  type: 'integer',
  minimum,
  maximum,
});
const list = (properties: JsonObject): JsonObject => ({
  type: 'array',
  minItems: 1,
  maxItems: 20,
  items: object(properties),
});
const name: JsonObject = { type: 'string', minLength: 1, maxLength: 300 };

const LEVELS = ['Excellent', 'Good', 'Fair', 'Poor'] as const;
const AGREEMENT = ['Strongly agree', 'Agree', 'Neutral', 'Disagree', 'Strongly disagree'] as const;

/** A rubric whose verdict is one word or number. */
function single(instruction: string, verdict: JsonObject, suffix = ''): Rubric {
  return {
    instruction,
    schema: object({ verdict }),
    render: (answer) => `${answer.verdict}${suffix}`,
  };
}

/** A rubric with several criteria; the verdict is JSON text. */
function several(instruction: string, properties: JsonObject): Rubric {
  return {
    instruction,
    schema: object({ criteria: list(properties) }),
    render: ({ criteria }) => JSON.stringify(criteria),
  };
}

/** The rubrics of `successEvaluation.rubric`, by name. */
export const rubrics: Readonly<Record<string, Rubric>> = {
  NumericScale: single('Give a score from 1 (failed) to 10 (perfect).', number(1, 10)),
  DescriptiveScale: single('Choose the level that fits best.', oneOf(...LEVELS)),
  Checklist: several('List the criteria that matter here and say of each whether it was met.', {
    criterion: name,
    met: { type: 'boolean' },
  }),
  Matrix: several('List the criteria that matter here and give each the level it reached.', {
    criterion: name,
    level: oneOf(...LEVELS),
  }),
  PercentageScale: single(
    'Say how far the call reached its goal, from 0 to 100 per cent.',
    number(0, 100),
    '%',
  ),
  LikertScale: single('Say how far you agree that the call reached its goal.', oneOf(...AGREEMENT)),
  AutomaticRubric: several(
    'Break the goal down into criteria of your own and score each from 1 (failed) to 10 (perfect).',
    { criterion: name, score: number(1, 10), reason: name },
  ),
  PassFail: {
    instruction: 'Say whether the call reached its goal.',
    schema: object({ passed: { type: 'boolean' } }),
    render: ({ passed }) => (passed ? 'pass' : 'fail'),
  },
};
