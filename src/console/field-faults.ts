import { ApiError } from '../client/api-error.ts';

/** Errors by the dotted path of their field; an error that belongs to no field has the key ''. */
export type FieldFaults = Readonly<Record<string, string>>;

const NAMED = /^([\w[\]-]+(?:\.[\w[\]-]+)*): (.+)$/s;

/** Reads the errors of each field from a response to invalid input; empty for any other failure. */
export function fieldFaults(error: unknown): FieldFaults {
  if (!(error instanceof ApiError) || ![400, 409, 422].includes(error.status)) return {};
  const faults: Record<string, string> = {};
  const add = (path: string, message: string): void => {
    faults[path] =
      faults[path] === undefined ? sentence(message) : `${faults[path]} ${sentence(message)}`;
  };
  const listed = (error.body as { detail?: { errors?: { path: string; message: string }[] } })
    .detail?.errors;
  if (listed) for (const { path, message } of listed) add(path, message);
  // The contract's other error shape lists all fields in one message.
  else
    for (const part of error.message.split('; ')) {
      const [, path, message] = NAMED.exec(part) ?? [];
      add(path ?? '', message ?? part);
    }
  return faults;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}
