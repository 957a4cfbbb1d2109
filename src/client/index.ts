// What the package @parley/client exports.
export type * from './api.generated.ts';
export { ApiError } from './api-error.ts';
export { type CallOptions, Client, type ClientOptions } from './client.ts';
