/** A variable that can be used in texts, and the source of its value. */
export interface KnownVariable {
  readonly name: string;
  readonly from: string;
}

/** Variables that the service fills in for each call. */
export const BUILT_IN_VARIABLES: readonly KnownVariable[] = [
  { name: 'customer.name', from: 'Name of the caller, if known' },
  { name: 'customer.number', from: 'Number of the caller' },
  { name: 'assistant.number', from: 'Number of the assistant' },
  { name: 'now', from: 'Date and time at the start of the call' },
  { name: 'date', from: 'Date at the start of the call' },
  { name: 'time', from: 'Time at the start of the call' },
  { name: 'call.id', from: 'Id of the call' },
];
