import type { NumberView } from '../../contract/number.ts';
import type { NumberRecord } from '../../store/numbers.ts';

/** Converts a number to its form in the API, without its credentials. */
export function presentNumber(record: NumberRecord): NumberView {
  return {
    _id: record.id,
    teamId: record.teamId,
    number: record.number,
    provider: { name: record.provider },
    assistantId: record.assistantId ?? '',
    ...(record.assistantVersion === null ? {} : { assistantVersion: record.assistantVersion }),
    inboundEnabled: record.inboundEnabled,
    outboundEnabled: record.outboundEnabled,
    label: record.label,
  };
}
