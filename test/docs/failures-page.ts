import { FAILURES, type FailureCode, ORDINARY_ENDS } from '../../src/contract/failures.ts';
import { LIMIT_SENTENCES } from '../../src/contract/team.ts';

const EFFECTS = {
  'not-begun': 'the call does not begin',
  ended: 'the call ends',
  'went-on': 'the call goes on',
} as const;

/** `docs/failures.md`, made from the table of failures. */
export function failuresPage(): string {
  const rows = (Object.keys(FAILURES) as FailureCode[]).map((code) => {
    const { part, effect, isError, sentence, help } = FAILURES[code];
    const cells = [
      `\`${code}\``,
      `\`${part}\``,
      EFFECTS[effect],
      isError ? 'yes' : 'no',
      `${sentence}.`,
      help,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return `# How calls fail

Made from \`src/contract/failures.ts\` by \`npm run docs\`; a test compares the two.

Whatever fails in a call has a code and one sentence for the owner of the assistant. The sentence is the same wherever
one looks; what the vendor, carrier or tool said follows it after a colon.

| Where | What |
|---|---|
| \`GET /calls/v1/conversations/{id}\` | \`failure: {code, message, cause?}\`, for a failure without which there would be a call; \`endReason\` is the same code |
| \`GET /calls/v1/conversations/{id}/events\` | a line \`{"kind":"note","type":"failure","data":{code, message, cause?}}\` for each |
| \`error\` webhook | \`error: {type, code, message, provider, retryable, cause?}\`, where the table says so |
| \`end-of-call-report\` and \`status-update\` webhooks | \`call.failure\`, as the API has it |
| Web media socket | \`{"type":"error","code","message"}\` before the call ends |
| Console | above the call, and in its list of events |
| Log of the service | \`a call failed\` or \`a part of a call failed\`, with \`callId\`, \`code\`, \`reason\` and \`cause\` |

A call that cannot begin because a vendor has no key is refused at \`connect\` (409), before anything is dialled; creating
or changing such an assistant answers with \`warnings\`.

A call that begins too fast after others of its team is refused with 429, \`Retry-After\` and one of two codes in \`error\`, before
there is a record of it: \`calls-per-second\` (${LIMIT_SENTENCES['calls-per-second']}) and \`broken-calls\`
(${LIMIT_SENTENCES['broken-calls']}).
A web client that comes with its token is told the same code before its socket closes with 1013, and its token stays good; a
caller on the telephone hears a busy line.

| Code | Part | What becomes of the call | \`error\` webhook | Sentence | What helps |
|---|---|---|---|---|---|
${rows.join('\n')}

A call that has not failed ends with one of: ${ORDINARY_ENDS.map((end) => `\`${end}\``).join(', ')}.
`;
}
