import type { Call } from '../../client/api.generated.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Facts } from '../ui/facts.tsx';
import { Moment } from '../ui/moment.tsx';
import { callerName, channelName, medianAnswerMs, moneyText, spanText } from './call-names.ts';
import { CallLength, CallState } from './calls-columns.tsx';

interface CallLeadProps {
  readonly call: Call;
  readonly assistantName: string | undefined;
}

/** Caller, time, duration and end of the call. */
export function CallLead({ call, assistantName }: CallLeadProps) {
  const median = medianAnswerMs(call);
  return (
    <span class="call-lead">
      <CallState call={call} />
      <span>
        {channelName(call)}
        {assistantName !== undefined && ` with ${assistantName}`}
        {call.assistantVersion !== undefined && `, version ${call.assistantVersion}`}
      </span>
      <Moment at={call.startAt} />
      <CallLength call={call} />
      {median !== undefined && <span>median answer {spanText(median)}</span>}
      {call.cost && <span>{moneyText(call.cost.total, call.cost.currency)}</span>}
    </span>
  );
}

const TRIGGERS = { user: 'the caller', assistant: 'the assistant' } as const;

/** Everything known about the call except its transcript. */
export function CallDetails({ call, assistantName }: CallLeadProps) {
  const { cost } = call;
  return (
    <div class="stack">
      <Facts
        items={[
          [
            'Call',
            <>
              <code>{call.id}</code> <CopyButton text={call.id} />
            </>,
          ],
          ['Caller', callerName(call)],
          ['Caller’s number', call.userNumber],
          ['Assistant’s number', call.assistantNumber],
          ['Assistant', assistantName ?? (call.assistantId ? 'Deleted' : 'Created for this call')],
          ['Version of the assistant', call.assistantVersion],
          ['Channel', channelName(call)],
          ['Began', <Moment key="began" at={call.startAt} />],
          ['Ended', call.endAt && <Moment key="ended" at={call.endAt} />],
          ['Ended by', call.callEndTriggerBy && TRIGGERS[call.callEndTriggerBy]],
          ['End reason code', call.endReason && <code>{call.endReason}</code>],
          ['Telephone status', call.phoneCallStatus],
          ...Object.entries(call.metadata).map(([name, value]) => [name, textOf(value)] as const),
        ]}
      />
      {call.usage.length > 0 && <Usage call={call} />}
      {cost && cost.unpriced.length > 0 && (
        <p class="help">
          Not included in the cost, since no price is set: {cost.unpriced.join(', ')}.
        </p>
      )}
    </div>
  );
}

const KINDS = { llm: 'Model', stt: 'Transcription', tts: 'Voice' } as const;

function Usage({ call: { usage, cost } }: { readonly call: Call }) {
  return (
    <table class="table call-usage" aria-label="Usage by vendor">
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Vendor</th>
          <th scope="col">Used</th>
          {cost && (
            <th scope="col" class="end">
              Cost
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {usage.map((line) => {
          const price = cost?.lines.find(
            ({ kind, vendor, model }) =>
              kind === line.kind && vendor === line.vendor && model === line.model,
          );
          return (
            <tr key={`${line.kind} ${line.vendor} ${line.model}`}>
              <th scope="row">{KINDS[line.kind]}</th>
              <td data-label="Vendor">{[line.vendor, line.model].filter(Boolean).join(' / ')}</td>
              <td data-label="Used">{amountText(line)}</td>
              {cost && (
                <td data-label="Cost" class="end numeric">
                  {price ? moneyText(price.amount, cost.currency) : '–'}
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function amountText(line: Call['usage'][number]): string {
  const { inputTokens, cachedTokens, outputTokens, characters, audioMs, requests } = line;
  const parts = [
    inputTokens !== undefined && `${inputTokens} tokens in`,
    cachedTokens !== undefined && cachedTokens > 0 && `${cachedTokens} cached`,
    outputTokens !== undefined && `${outputTokens} out`,
    characters !== undefined && `${characters} characters`,
    audioMs !== undefined && `${Math.round(audioMs / 1000)} s of audio`,
  ].filter(Boolean);
  return `${parts.join(', ')}${parts.length > 0 ? ', ' : ''}${requests} ${requests === 1 ? 'request' : 'requests'}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
