/** A variable that a text may hold, and where its value comes from. */
export interface KnownVariable {
  readonly name: string;
  readonly from: string;
}

/** Filled in each call by the service itself. */
export const BUILT_IN_VARIABLES: readonly KnownVariable[] = [
  { name: 'customer.name', from: 'Name of the caller, where it is known' },
  { name: 'customer.number', from: 'Number of the caller' },
  { name: 'assistant.number', from: 'Number that was called, or is called from' },
  { name: 'now', from: 'Date and time at the start of the call' },
  { name: 'date', from: 'Date at the start of the call' },
  { name: 'time', from: 'Time at the start of the call' },
  { name: 'call.id', from: 'Id of the call' },
];
